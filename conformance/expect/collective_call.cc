#include "conformance/expect/collective_call.h"

#include <algorithm>
#include <utility>

#include "interpreter/rules/clone.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {
namespace {

/// The instruction that gives what this one has begun; null where there is
/// none, or it takes that out of a tuple or in another computation.
const Instruction* end_of(const Instruction& start) {
  for (const auto& other : start.parent->instructions) {
    const bool takes =
        !other->operands.empty() && other->operands.front() == &start;
    if (takes && other->op->start == start.op) return other.get();
  }
  return nullptr;
}

/// The members of a group that came, or the device that came alone.
std::vector<int64_t> group_that_came(const CollectiveCall& call,
                                     const DeviceGroups& groups) {
  const int64_t first = call.operands.begin()->first;
  const int64_t group = groups.group_of[static_cast<size_t>(first)];
  if (group < 0) return {first};
  return groups.members[static_cast<size_t>(group)];
}

/// 0 of a device in no group.
size_t place_in_group(const DeviceGroups& groups, int64_t device) {
  const int64_t group = groups.group_of[static_cast<size_t>(device)];
  if (group < 0) return 0;
  const std::vector<int64_t>& members =
      groups.members[static_cast<size_t>(group)];
  return static_cast<size_t>(std::ranges::find(members, device) -
                             members.begin());
}

/// The device that came whose operands a device that did not can bring.
int64_t stand_in(const CollectiveCall& call, const DeviceGroups& groups,
                 int64_t device) {
  const std::vector<int64_t> present = group_that_came(call, groups);
  return present[place_in_group(groups, device) % present.size()];
}

}  // namespace

std::string to_string(const Device& device) {
  return "replica " + std::to_string(device.replica) + ", partition " +
         std::to_string(device.partition);
}

bool is_collective(const Instruction& instruction) {
  return has_groups(instruction) ||
         instruction.find("source_target_pairs") != nullptr;
}

bool names_device(const Instruction& instruction) {
  return instruction.op->communicate != nullptr &&
         instruction.operands.empty() && instruction.shape.is_array();
}

bool is_start(const Instruction& instruction) {
  return std::ranges::any_of(
      all_ops(), [&](const Op* op) { return op->start == instruction.op; });
}

std::shared_ptr<const Module> module_of(const CollectiveCall& call) {
  const Instruction& collective = *call.collective;
  const Instruction* end = is_start(collective) ? end_of(collective) : nullptr;
  if (is_start(collective) && end == nullptr) return nullptr;
  Module module = end == nullptr ? extract_sized(collective)
                                 : extract_sized(collective, *end);
  module.replica_count = call.grid.replicas;
  module.num_partitions = call.grid.partitions;
  return std::make_shared<const Module>(std::move(module));
}

std::vector<std::vector<Literal>> arguments_of(const CollectiveCall& call) {
  const bool all_came = std::ssize(call.operands) == call.grid.count();
  const DeviceGroups groups =
      all_came ? DeviceGroups{} : device_groups(*call.collective, call.grid);
  std::vector<std::vector<Literal>> all;
  for (int64_t device = 0; device < call.grid.count(); ++device) {
    const bool came = all_came || call.operands.contains(device);
    const int64_t like = came ? device : stand_in(call, groups, device);
    all.push_back(sized_arguments(*call.collective, call.operands.at(like),
                                  Sizes::kMarked));
  }
  return all;
}

}  // namespace hlo::conformance
