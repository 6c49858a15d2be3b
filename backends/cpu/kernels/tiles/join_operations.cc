#include "backends/cpu/kernels/tiles/join_operations.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

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

/// Whether the second operation is the only one that reads what the first one
/// of these gives.
bool is_for_next(std::span<const LaneOp> ops) {
  const LaneOp& next = ops[1];
  return next.operands[0] == ops[0].out &&
         (next.out == ops[0].out || !is_read(ops.subspan(2), ops[0].out));
}

Narrowing narrowing_of(Code code) {
  if (code == Code::kRoundToBf16) return Narrowing::kToBf16;
  return code == Code::kRoundToF16 ? Narrowing::kToF16 : Narrowing::kNone;
}

bool narrows(Code code) {
  return code == Code::kAddF32 || code == Code::kSubtractF32 ||
         code == Code::kMultiplyF32 || code == Code::kDivideF32;
}

/// The first of these operations and the next one as one, where they may be.
std::optional<LaneOp> joined(std::span<const LaneOp> ops) {
  if (!is_for_next(ops)) return std::nullopt;
  LaneOp one = ops[0];
  one.out = ops[1].out;
  if (one.code == Code::kSubtractF32 && ops[1].code == Code::kExponentialF32 &&
      one.narrowing == Narrowing::kNone) {
    one.code = Code::kExponentialOfDifferenceF32;
    return one;
  }
  const Narrowing narrowing = narrowing_of(ops[1].code);
  if (!narrows(one.code) || one.narrowing != Narrowing::kNone ||
      narrowing == Narrowing::kNone) {
    return std::nullopt;
  }
  one.narrowing = narrowing;
  return one;
}

}  // namespace

void join_operations(TileProgram& program) {
  std::vector<LaneOp>& ops = program.ops;
  for (size_t i = 0; i + 1 < ops.size(); ++i) {
    const auto first = ops.begin() + static_cast<std::ptrdiff_t>(i);
    const std::optional<LaneOp> one = joined({first, ops.end()});
    if (!one) continue;
    *first = *one;
    ops.erase(first + 1);
  }
}

}  // namespace hlo::cpu
