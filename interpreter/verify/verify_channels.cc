#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "interpreter/rules/op.h"
#include "interpreter/verify/verify_rules.h"

namespace hlo {
namespace {

bool is_transfer(std::string_view name) {
  return name == "send" || name == "recv" || name == "send-done" ||
         name == "recv-done";
}

std::optional<int64_t> channel(const Instruction& instruction) {
  const AttributeValue* value = instruction.find("channel_id");
  if (value == nullptr) return std::nullopt;
  return std::get<int64_t>(*value);
}

bool is_host_transfer(const Instruction& instruction) {
  return instruction.get_or<bool>("is_host_transfer", false);
}

/// send and recv are used by their done; in a loop that is pipelined, through
/// a tuple.
void check_start(const Instruction& start, const UserList& users) {
  const std::string done = std::string(start.op->name) + "-done";
  require(users.size() == 1, "channel.users",
          {"%", start.name, " is used ", Count{std::ssize(users), "time"}},
          "a send or a recv must be used once, by its done or a tuple");
  const Instruction& user = *users[0];
  require(user.op->name == done || user.op->name == "tuple", "channel.users",
          {"%", start.name, " is used by %", user.name},
          "a send or a recv must be used by its done or a tuple");
  if (user.op->name == "tuple") return;
  require(channel(start) == channel(user) || !channel(start).has_value() ||
              !channel(user).has_value(),
          "channel.id",
          {"%", start.name, " and its done %", user.name, " name channels ",
           channel(start).value_or(0), " and ", channel(user).value_or(0)},
          "they must name the same");
  require(is_host_transfer(start) == is_host_transfer(user), "channel.host",
          {"one of %", start.name, " and its done %", user.name,
           " is a host transfer"},
          "they must agree on is_host_transfer");
}

void check_done(const Instruction& done) {
  const std::string_view name = done.op->name;
  const std::string_view start = name.substr(0, name.find('-'));
  const std::string_view operand = done.operands[0]->op->name;
  require(operand == start || operand == "get-tuple-element" ||
              operand == "parameter" || operand == "async-done",
          "channel.start",
          {"%", done.name, " ends %", done.operands[0]->name, ", which is no ",
           start},
          "a done must end a send or a recv");
}

/// Whether two transfers between a host and a device differ in operands only.
bool alike(const Instruction& a, const Instruction& b) {
  return a.op != b.op ||
         (a.attributes == b.attributes && compatible(a.shape, b.shape, true));
}

}  // namespace

void check_transfer(const Instruction& instruction, const UserList& users) {
  const std::string_view name = instruction.op->name;
  if (!is_transfer(name)) return;
  if (name.ends_with("-done")) {
    check_done(instruction);
    return;
  }
  const bool is_result = &instruction == instruction.parent->root;
  if (!is_result || !users.empty()) check_start(instruction, users);
}

void ChannelRules::check(const Instruction& instruction) {
  const auto id = channel(instruction);
  if (!id) return;
  const auto [entry, is_new] = first_.emplace(*id, &instruction);
  const Instruction& first = *entry->second;
  if (is_new) return;
  require(
      is_transfer(first.op->name) == is_transfer(instruction.op->name),
      "channel.kind",
      {"channel ", *id, " serves %", first.name, " and %", instruction.name},
      "it can serve sends and receives, or collectives, not both");
  if (!is_host_transfer(instruction)) return;
  const auto [same, is_first] =
      host_.emplace(std::pair(*id, instruction.op), &instruction);
  require(is_first || alike(*same->second, instruction), "channel.alike",
          {"host transfers %", same->second->name, " and %", instruction.name,
           " of channel ", *id, " differ"},
          "they can differ in their operands only");
}

}  // namespace hlo
