#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/model/module.h"

namespace hlo {

/// What the ids in the groups of a collective stand for (spec/collectives.md).
enum class GroupMode : uint8_t {
  kCrossReplica,
  kCrossPartition,
  kCrossReplicaAndPartition,
  kFlattenedId,
};

/// How many devices run a program together: the partitions of each replica.
struct Grid {
  int64_t replicas = 1;
  int64_t partitions = 1;

  int64_t count() const { return replicas * partitions; }
};

/// One of them. Its flattened id counts the partitions of replica 0 first.
struct Device {
  int64_t replica = 0;
  int64_t partition = 0;
};

int64_t flattened_id(const Device& device, const Grid& grid);
Device device_of(int64_t id, const Grid& grid);

/// The groups in which the devices of a grid run a collective.
struct DeviceGroups {
  std::vector<std::vector<int64_t>> members;  // flattened ids, in their order
  std::vector<int64_t> group_of;  // by flattened id; -1 for those in no group
};

/// Whether the operation takes replica_groups.
bool has_groups(const Instruction& instruction);
/// The mode that the attributes select. Error "collective.global-ids" where
/// use_global_device_ids lacks its channel_id.
GroupMode group_mode(const Instruction& collective);
/// How many ids there are in that mode.
int64_t id_count(GroupMode mode, const Grid& grid);
int64_t id_count(GroupMode mode, const Module& module);
/// The id of the device in that mode.
int64_t id_of(const Device& device, GroupMode mode, const Grid& grid);
/// How many devices take part in each group: of the first group where groups
/// are given, else all.
int64_t group_size(const Instruction& collective, const Module& module);

/// Who runs `collective` with whom. The devices that pairs connect, directly or
/// through others, are a group of a collective-permute. Evaluate error
/// "collective.grid" where the groups or pairs name what is not in the grid.
DeviceGroups device_groups(const Instruction& collective, const Grid& grid);

}  // namespace hlo
