#pragma once

#include <cstdint>

#include "interpreter/model/module.h"

namespace hlo {

/// What the ids in the groups of a collective stand for (spec/collectives.md).
enum class GroupMode : uint8_t {
  kCrossReplica,
  kCrossPartition,
  kCrossReplicaAndPartition,
  kFlattenedId,
};

/// Whether the operation takes replica_groups.
bool has_groups(const Instruction& instruction);
/// The mode that the attributes select. Error "collective.global-ids" where
/// use_global_device_ids lacks its channel_id.
GroupMode group_mode(const Instruction& collective);
/// How many ids there are in that mode.
int64_t id_count(GroupMode mode, const Module& module);
/// How many devices take part in each group: of the first group where groups
/// are given, else all.
int64_t group_size(const Instruction& collective, const Module& module);

}  // namespace hlo
