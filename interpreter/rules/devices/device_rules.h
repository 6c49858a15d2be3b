#pragma once

#include <string_view>
#include <vector>

#include "interpreter/rules/shape_rules.h"

// What the shape rules of operations between devices share: collectives, their
// asynchronous starts, sends and receives.

namespace hlo {

inline constexpr std::string_view kGroupModes =
    "cross_replica cross_partition cross_replica_and_partition flattened_id";

inline constexpr AttributeSpec kAllReduceAttributes[] = {
    {"channel_id", AttributeKind::kInt},
    {"replica_groups", AttributeKind::kReplicaGroups},
    {"constrain_layout", AttributeKind::kBool},
    {"use_global_device_ids", AttributeKind::kBool},
    {"mode", AttributeKind::kWord, false, kGroupModes},
    {"to_apply", AttributeKind::kComputation, true},
};

inline constexpr AttributeSpec kAllGatherAttributes[] = {
    {"channel_id", AttributeKind::kInt},
    {"replica_groups", AttributeKind::kReplicaGroups},
    {"constrain_layout", AttributeKind::kBool},
    {"dimensions", AttributeKind::kInts, true},
    {"use_global_device_ids", AttributeKind::kBool},
};

inline constexpr AttributeSpec kPermuteAttributes[] = {
    {"channel_id", AttributeKind::kInt},
    {"source_target_pairs", AttributeKind::kIntPairs, true},
    {"slice_sizes", AttributeKind::kBraces},
};

/// The attributes of send, recv and what completes them.
inline constexpr AttributeSpec kTransferAttributes[] = {
    {"channel_id", AttributeKind::kInt},
    {"is_host_transfer", AttributeKind::kBool},
};

/// all-gather and its start: each result is its operand, `dimension` times the
/// number of shards. Errors "all-gather.C1" to "all-gather.C3".
void check_gathered(const Instruction& gather,
                    const std::vector<Shape>& results);
/// The result of collective-permute: of the operands, or of the buffers that
/// are written in place. Errors "collective-permute.C1" and following.
Shape permuted(const Instruction& permute);
/// Whether a collective-permute writes into given buffers.
bool is_in_place(const Instruction& permute);
/// The combiner of all-reduce, its start and reduce-scatter takes two values of
/// one shape, scalars as a rule, and returns one, of the operands' type but for
/// the precision of floats. Error `rule`.
void check_combiner(const Instruction& reduction, std::string_view rule);
/// The result of all-reduce and its start: of arrays, combined by to_apply.
/// Errors `combiner_rule` and `array_rule`.
Shape all_reduced(const Instruction& reduction, std::string_view combiner_rule,
                  std::string_view array_rule);

/// The state that a send or recv leaves for what completes it: data, u32
/// context and token.
Shape transfer_state(const Shape& data);
/// The data of the operand's state. Error `rule` with `message`.
const Shape& data_of_transfer(const Instruction& done, std::string_view rule,
                              std::string_view message);

}  // namespace hlo
