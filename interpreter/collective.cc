#include "interpreter/collective.h"

#include <algorithm>

#include "interpreter/op.h"

namespace hlo {
namespace {

bool takes(const Instruction& instruction, std::string_view attribute) {
  return std::ranges::find(instruction.op->attributes, attribute,
                           &AttributeSpec::name) !=
         instruction.op->attributes.end();
}

GroupMode mode_of(std::string_view word) {
  if (word == "cross_replica") return GroupMode::kCrossReplica;
  if (word == "cross_partition") return GroupMode::kCrossPartition;
  return word == "flattened_id" ? GroupMode::kFlattenedId
                                : GroupMode::kCrossReplicaAndPartition;
}

}  // namespace

bool has_groups(const Instruction& instruction) {
  return takes(instruction, "replica_groups");
}

GroupMode group_mode(const Instruction& collective) {
  if (const AttributeValue* mode = collective.find("mode")) {
    return mode_of(std::get<Word>(*mode).value);
  }
  const bool channel = collective.find("channel_id") != nullptr;
  const bool global = collective.get_or<bool>("use_global_device_ids", false);
  require(channel || !global, "collective.global-ids",
          "use_global_device_ids needs a channel_id");
  if (!channel) return GroupMode::kCrossReplica;
  if (!takes(collective, "use_global_device_ids")) {
    return GroupMode::kCrossPartition;
  }
  return global ? GroupMode::kFlattenedId
                : GroupMode::kCrossReplicaAndPartition;
}

int64_t id_count(GroupMode mode, const Module& module) {
  switch (mode) {
    case GroupMode::kCrossPartition:
      return module.num_partitions;
    case GroupMode::kFlattenedId:
      return module.replica_count * module.num_partitions;
    default:
      return module.replica_count;
  }
}

int64_t group_size(const Instruction& collective, const Module& module) {
  const GroupMode mode = group_mode(collective);
  const AttributeValue* value = collective.find("replica_groups");
  const auto* groups =
      value == nullptr ? nullptr : &std::get<ReplicaGroups>(*value).groups;
  const int64_t ids = groups == nullptr || groups->empty()
                          ? id_count(mode, module)
                          : static_cast<int64_t>(groups->front().size());
  return mode == GroupMode::kCrossReplicaAndPartition
             ? ids * module.num_partitions
             : ids;
}

}  // namespace hlo
