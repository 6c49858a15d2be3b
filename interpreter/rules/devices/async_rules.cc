#include "interpreter/rules/devices/async_rules.h"

#include <algorithm>
#include <string>

#include "interpreter/rules/attributes/verbatim.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

bool is_arrangement(const Op& op) {
  return op.form == Form::kParameter || op.form == Form::kTuple ||
         op.form == Form::kElement;
}

/// Whether the operations of what it starts run together, however many they
/// are.
bool is_group(const Instruction& start) {
  const std::string attributes =
      start.get_or<Verbatim>("frontend_attributes", Verbatim{}).text;
  return find_frontend_attribute(attributes, "_collectives_group").has_value();
}

/// What began the chain, if that is in this computation.
const Instruction* start_of(const Instruction& continued) {
  const auto begins = [](const Op& op) {
    return std::ranges::any_of(op.attributes, [](const AttributeSpec& spec) {
      return spec.name == "calls" && spec.required;
    });
  };
  const Instruction* at = &continued;
  while (at->op->form == Form::kAsync && !begins(*at->op)) at = at->operands[0];
  return at->op->form == Form::kAsync ? at : nullptr;
}

/// The thread that it names, else that of what it starts.
std::string thread_of_start(const Instruction& start) {
  const auto named = start.get_or<std::string>("async_execution_thread", "");
  return named.empty() ? std::string(thread_of(*wrapped_computation(start)))
                       : named;
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

void check_wrapped(const Instruction& start) {
  const Computation& wrapped = *wrapped_computation(start);
  const auto operations = std::ranges::count_if(
      wrapped.instructions,
      [](const auto& one) { return !is_arrangement(*one->op); });
  require(operations <= 1 || is_group(start), "async.computation",
          {"%", wrapped.name, " has ", Count{operations, "operation"}},
          "what runs asynchronously must be one operation, or a group: "
          "frontend_attributes={_collectives_group=\"\"}");
}

void check_thread(const Instruction& continued) {
  const Instruction* start = start_of(continued);
  const auto given =
      continued.get_or<std::string>("async_execution_thread", "");
  if (start == nullptr || given.empty()) return;
  const std::string begun = thread_of_start(*start);
  require(given == begun, "async.thread",
          {"async_execution_thread is ", given, " and %", start->name,
           " began on ", begun},
          "what begins on one thread must end there");
}

}  // namespace hlo
