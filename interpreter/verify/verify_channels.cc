#include <map>
#include <utility>

#include "interpreter/rules/devices/transfer_rules.h"
#include "interpreter/rules/op.h"
#include "interpreter/verify/verify_rules.h"

namespace hlo {
namespace {

/// Whether two transfers between a host and a device differ in operands only.
bool alike(const Instruction& a, const Instruction& b) {
  return a.op != b.op ||
         (a.attributes == b.attributes && compatible(a.shape, b.shape, true));
}

}  // namespace

void ChannelRules::check(const Instruction& instruction) {
  const auto id = channel_of(instruction);
  if (!id) return;
  const Instruction& first = *first_.emplace(*id, &instruction).first->second;
  require(
      is_transfer(*first.op) == is_transfer(*instruction.op), "channel.kind",
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
