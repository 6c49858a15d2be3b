// spec/ops/collective_permute.md
#include "interpreter/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"channel_id", AttributeKind::kInt},
    {"source_target_pairs", AttributeKind::kIntPairs, true},
    {"slice_sizes", AttributeKind::kBraces},
};

}  // namespace

extern constinit const Op op_collective_permute{
    .name = "collective-permute",
    .min_operands = 1,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = permuted,
    .accuracy = {.moves_data = true}};

}  // namespace hlo
