#include "interpreter/rules/devices/transfer_rules.h"

#include "interpreter/rules/op.h"

namespace hlo {
namespace {

void check_pair(const Instruction& start, const Instruction& done) {
  const auto channel = channel_of(start);
  const auto ended = channel_of(done);
  require(channel == ended || !channel.has_value() || !ended.has_value(),
          "channel.id",
          {"%", start.name, " and its done %", done.name, " name channels ",
           channel.value_or(0), " and ", ended.value_or(0)},
          "they must name the same");
  require(is_host_transfer(start) == is_host_transfer(done), "channel.host",
          {"one of %", start.name, " and its done %", done.name,
           " is a host transfer"},
          "they must agree on is_host_transfer");
}

/// Whether the value may be a transfer that began elsewhere.
bool hands_on(const Op& op) {
  const bool ends_async = op.form == Form::kAsync && !op.carries_async;
  return op.form == Form::kElement || op.form == Form::kParameter || ends_async;
}

}  // namespace

bool is_transfer(const Op& op) { return op.takes("is_host_transfer"); }

bool is_host_transfer(const Instruction& transfer) {
  return transfer.get_or<bool>("is_host_transfer", false);
}

std::optional<int64_t> channel_of(const Instruction& instruction) {
  const AttributeValue* value = instruction.find("channel_id");
  if (value == nullptr) return std::nullopt;
  return std::get<int64_t>(*value);
}

void check_transfer(const Surroundings& around) {
  const Instruction& start = around.instruction;
  if (around.users == nullptr) return;
  const auto& users = *around.users;
  if (users.empty() && &start == start.parent->root) return;
  require(users.size() == 1, "channel.users",
          {"%", start.name, " is used ", Count{std::ssize(users), "time"}},
          "a send or a recv must be used once, by its done or a tuple");
  const Instruction& user = *users[0];
  if (user.op->form == Form::kTuple) return;
  require(user.op->start == start.op, "channel.users",
          {"%", start.name, " is used by %", user.name},
          "a send or a recv must be used by its done or a tuple");
  check_pair(start, user);
}

void check_transferred(const Surroundings& around) {
  const Instruction& done = around.instruction;
  const Instruction& start = *done.operands[0];
  require(start.op == done.op->start || hands_on(*start.op), "channel.start",
          {"%", done.name, " ends %", start.name, ", which is no ",
           done.op->start->name},
          "a done must end a send or a recv");
}

}  // namespace hlo
