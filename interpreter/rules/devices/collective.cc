#include "interpreter/rules/devices/collective.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "interpreter/counted.h"
#include "interpreter/rules/op.h"

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

using Groups = std::vector<std::vector<int64_t>>;

/// The sets of ids that pairs connect, each in ascending order.
Groups connected(const IntPairs& pairs) {
  std::map<int64_t, int64_t> leader;
  const auto find = [&](int64_t id) {
    leader.try_emplace(id, id);
    while (leader.at(id) != id) id = leader.at(id) = leader.at(leader.at(id));
    return id;
  };
  for (const auto& [source, target] : pairs) {
    const int64_t a = find(source);
    const int64_t b = find(target);
    leader[std::max(a, b)] = std::min(a, b);
  }
  std::map<int64_t, std::vector<int64_t>> sets;
  for (const auto& [id, above] : leader) sets[find(id)].push_back(id);
  Groups groups;
  for (auto& [first, ids] : sets) groups.push_back(std::move(ids));
  return groups;
}

/// The groups of ids, in the mode of the collective.
Groups id_groups(const Instruction& collective, int64_t count) {
  if (const AttributeValue* pairs = collective.find("source_target_pairs")) {
    return connected(std::get<IntPairs>(*pairs));
  }
  const AttributeValue* value = collective.find("replica_groups");
  if (value != nullptr && !std::get<ReplicaGroups>(*value).groups.empty()) {
    return std::get<ReplicaGroups>(*value).groups;
  }
  std::vector<int64_t> all(static_cast<size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return {all};
}

/// The device that an id of the mode names; `other` is its place along the
/// dimension of the grid that the ids leave open.
int64_t named_device(int64_t id, int64_t other, GroupMode mode,
                     const Grid& grid) {
  const bool is_replica = mode == GroupMode::kCrossReplica;
  return flattened_id(is_replica ? Device{id, other} : Device{other, id}, grid);
}

/// The devices whose ids are `group`: one list for each of those dimensions of
/// the grid that the ids leave open.
Groups expand(const std::vector<int64_t>& group, GroupMode mode,
              const Grid& grid) {
  if (mode == GroupMode::kFlattenedId) return {group};
  if (mode == GroupMode::kCrossReplicaAndPartition) {
    std::vector<int64_t> all;
    for (const int64_t replica : group) {
      for (int64_t p = 0; p < grid.partitions; ++p) {
        all.push_back(flattened_id({replica, p}, grid));
      }
    }
    return {all};
  }
  Groups result(static_cast<size_t>(
      mode == GroupMode::kCrossReplica ? grid.partitions : grid.replicas));
  for (size_t other = 0; other < result.size(); ++other) {
    for (const int64_t id : group) {
      result[other].push_back(
          named_device(id, static_cast<int64_t>(other), mode, grid));
    }
  }
  return result;
}

void check_ids(const std::vector<int64_t>& group, GroupMode mode,
               const Grid& grid) {
  const int64_t count = id_count(mode, grid);
  for (const int64_t id : group) {
    if (id >= 0 && id < count) continue;
    const bool partitions = mode == GroupMode::kCrossPartition;
    const bool devices = mode == GroupMode::kFlattenedId;
    throw Error(Phase::kEvaluate, "collective.grid",
                "the program runs on " +
                    counted(count, partitions ? "partition"
                                   : devices  ? "device"
                                              : "replica") +
                    ", but " + std::to_string(id) + " is named");
  }
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
          {"use_global_device_ids is given without a channel_id"},
          "it needs one");
  if (!channel) return GroupMode::kCrossReplica;
  if (!takes(collective, "use_global_device_ids")) {
    return GroupMode::kCrossPartition;
  }
  return global ? GroupMode::kFlattenedId
                : GroupMode::kCrossReplicaAndPartition;
}

int64_t flattened_id(const Device& device, const Grid& grid) {
  return device.replica * grid.partitions + device.partition;
}

Device device_of(int64_t id, const Grid& grid) {
  return {id / grid.partitions, id % grid.partitions};
}

int64_t id_count(GroupMode mode, const Grid& grid) {
  switch (mode) {
    case GroupMode::kCrossPartition:
      return grid.partitions;
    case GroupMode::kFlattenedId:
      return grid.count();
    default:
      return grid.replicas;
  }
}

int64_t id_count(GroupMode mode, const Module& module) {
  return id_count(mode, Grid{module.replica_count, module.num_partitions});
}

int64_t id_of(const Device& device, GroupMode mode, const Grid& grid) {
  switch (mode) {
    case GroupMode::kCrossPartition:
      return device.partition;
    case GroupMode::kFlattenedId:
      return flattened_id(device, grid);
    default:
      return device.replica;
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

DeviceGroups device_groups(const Instruction& collective, const Grid& grid) {
  const GroupMode mode = group_mode(collective);
  DeviceGroups result;
  result.group_of.assign(static_cast<size_t>(grid.count()), -1);
  for (const auto& group : id_groups(collective, id_count(mode, grid))) {
    check_ids(group, mode, grid);
    for (auto& members : expand(group, mode, grid)) {
      for (const int64_t member : members) {
        result.group_of[static_cast<size_t>(member)] =
            std::ssize(result.members);
      }
      result.members.push_back(std::move(members));
    }
  }
  return result;
}

}  // namespace hlo
