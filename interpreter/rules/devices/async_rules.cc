#include "interpreter/rules/devices/async_rules.h"

#include <algorithm>
#include <string>

#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

bool is_arrangement(const Op& op) {
  return op.form == Form::kParameter || op.form == Form::kTuple ||
         op.form == Form::kElement;
}

/// Only what reaches other devices takes a channel.
bool is_communication(const Op& op) {
  return op.takes("channel_id") && op.start == nullptr;
}

/// Whether the value is the state of an operation that was started and has not
/// ended.
bool is_running(const Instruction& state, bool is_entry) {
  return state.op->carries_async &&
         !(is_entry && state.op->form == Form::kParameter);
}

}  // namespace

void check_started(const Surroundings& around) {
  if (around.users == nullptr) return;
  const Instruction& start = around.instruction;
  const auto dones = std::ranges::count_if(
      *around.users,
      [&](const Instruction* user) { return user->op->start == start.op; });
  require(dones == 1, "async.pair",
          {"%", start.name, " has ", Count{dones, "done", "dones"}},
          "a start must have one done");
}

void check_ended(const Surroundings& around) {
  const Instruction& done = around.instruction;
  const Instruction& start = *done.operands[0];
  require(start.op == done.op->start, "async.pair",
          {"%", done.name, " is the done of %", start.name, ", which is no ",
           done.op->start->name},
          "it must belong to a start");
}

void check_continued(const Surroundings& around) {
  const Instruction& before = *around.instruction.operands[0];
  require(is_running(before, around.is_entry), "async.start",
          {"%", around.instruction.name, " continues %", before.name},
          "an update or a done must continue an asynchronous operation");
}

void check_continues(const Surroundings& around) {
  if (around.users == nullptr) return;
  const auto& users = *around.users;
  const Instruction& state = around.instruction;
  const bool is_result = &state == state.parent->root;
  require(!users.empty() || (is_result && !around.is_entry), "async.done",
          {"%", state.name, " has no done"},
          "an asynchronous operation must be ended by one");
  require(users.size() <= 1, "async.users",
          {"the state %", state.name, " is used ",
           Count{std::ssize(users), "time"}},
          "the state of an asynchronous operation must be used once");
}

void check_wrapped(const Surroundings& around) {
  const Computation* wrapped = wrapped_computation(around.instruction);
  if (wrapped == nullptr) return;
  const auto count = [&](bool (*is)(const Op&)) {
    return std::ranges::count_if(wrapped->instructions,
                                 [&](const auto& one) { return is(*one->op); });
  };
  const int64_t operations =
      std::ssize(wrapped->instructions) - count(is_arrangement);
  require(
      operations <= 1 || operations == count(is_communication),
      "async.computation",
      {"%", wrapped->name, " has ", Count{operations, "operation"}},
      "what runs asynchronously must be one operation, or communication only");
  const auto thread =
      around.instruction.get_or<std::string>("async_execution_thread", "");
  require(thread.empty() || wrapped->execution_thread.empty() ||
              thread == wrapped->execution_thread,
          "async.thread",
          {"async_execution_thread is ", thread,
           " and the wrapped computation is for ", wrapped->execution_thread},
          "it must run on the thread that is named");
}

}  // namespace hlo
