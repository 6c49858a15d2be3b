#include "backends/cpu/kernels/tiles/join_operations.h"

#include <algorithm>
#include <iterator>

namespace hlo::cpu {
namespace {

/// Whether an operation from there on reads what is in the register. One that
/// has fewer operands than it could names the first register for the others.
bool is_read(std::span<const LaneOp> ops, uint16_t own) {
  for (const LaneOp& op : ops) {
    if (std::ranges::count(op.operands, own) != 0) return true;
    if (op.out == own) return false;
  }
  return false;
}

/// Whether the first of these operations and the next one may be one.
bool may_join(std::span<const LaneOp> ops) {
  const LaneOp& next = ops[1];
  return ops[0].code == Code::kSubtractF32 &&
         next.code == Code::kExponentialF32 && next.operands[0] == ops[0].out &&
         (next.out == ops[0].out || !is_read(ops.subspan(2), ops[0].out));
}

}  // namespace

void join_operations(TileProgram& program) {
  std::vector<LaneOp>& ops = program.ops;
  for (size_t i = 0; i + 1 < ops.size(); ++i) {
    if (!may_join({ops.begin() + static_cast<std::ptrdiff_t>(i), ops.end()})) {
      continue;
    }
    ops[i].code = Code::kExponentialOfDifferenceF32;
    ops[i].out = ops[i + 1].out;
    ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

}  // namespace hlo::cpu
