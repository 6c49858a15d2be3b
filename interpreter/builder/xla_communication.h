#pragma once

#include <optional>
#include <vector>

#include "interpreter/builder/builder.h"

// Operations between devices (spec/collectives.md). Say with set_devices() for
// how many the program is. Errors: the rules of the operation's page.

namespace hlo::builder {

/// Who takes part. No groups: all are one.
struct Participants {
  std::vector<Ints> replica_groups = {};
  std::optional<int64_t> channel_id = {};
  bool use_global_device_ids = false;
};

XlaOp ReplicaId(XlaBuilder* builder);
XlaOp PartitionId(XlaBuilder* builder);

// Each element of a tuple takes part; the result is a tuple.
XlaOp AllReduce(XlaOp operand, const XlaComputation& computation,
                const Participants& participants = {});
/// all-reduce with the sum; of pred with the disjunction.
XlaOp CrossReplicaSum(XlaOp operand, const Participants& participants = {});
/// The arrays of all one after the other along the dimension. `shard_count` is
/// the size of each group. Error "builder.C9" where it is not positive.
XlaOp AllGather(XlaOp operand, int64_t all_gather_dimension,
                int64_t shard_count, const Participants& participants = {});
/// Member i gets part i of the reduced array. Error "builder.C9" where the
/// dimension cannot be split so.
XlaOp ReduceScatter(XlaOp operand, const XlaComputation& computation,
                    int64_t scatter_dimension, int64_t shard_count,
                    const Participants& participants = {});

/// Part i along split_dimension goes to member i; what comes is put together
/// along concat_dimension. Error "builder.C9" where the dimension cannot be
/// split so.
XlaOp AllToAll(XlaOp operand, int64_t split_dimension, int64_t concat_dimension,
               int64_t split_count, const Participants& participants = {});
/// Operand i goes to member i; a tuple of what comes.
XlaOp AllToAllTuple(XlaBuilder* builder, const XlaOps& operands,
                    const Participants& participants = {});
XlaOp CollectivePermute(XlaOp operand, const IntPairs& source_target_pairs,
                        std::optional<int64_t> channel_id = {});
XlaOp CollectiveBroadcast(XlaOp operand,
                          const std::vector<Ints>& replica_groups,
                          std::optional<int64_t> channel_id = {});

/// Rows of `input` go to places in the `output` of others, as the offsets and
/// sizes say; the output with them.
struct RaggedRows {
  XlaOp input_offsets;
  XlaOp send_sizes;
  XlaOp output_offsets;
  XlaOp recv_sizes;
};

XlaOp RaggedAllToAll(XlaOp input, XlaOp output, const RaggedRows& rows,
                     const Participants& participants = {});

}  // namespace hlo::builder
