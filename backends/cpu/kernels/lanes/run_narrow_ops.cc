#include "backends/cpu/kernels/lanes/run_narrow_ops.h"

#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/lanes/run_narrow_ops.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/kernels/lanes/integer_lanes.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

void run_narrow(const LaneOp& op, size_t lane_bytes, const Register* registers,
                size_t n) {
  const OpLanes lanes{op, registers, n};
  if (lane_bytes == 1) {
    run_integer<int8_t>(lanes);
  } else {
    run_integer<int16_t>(lanes);
  }
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(run_narrow);

}  // namespace

bool is_narrow_op(Code code) {
  switch (code) {
    case Code::kAddS32:
    case Code::kSubtractS32:
    case Code::kMultiplyS32:
    case Code::kMaximumS32:
    case Code::kMinimumS32:
    case Code::kMaximumU32:
    case Code::kMinimumU32:
    case Code::kNegateS32:
    case Code::kAbsS32:
    case Code::kEqualS32:
    case Code::kNotEqualS32:
    case Code::kLessS32:
    case Code::kLessEqualS32:
    case Code::kLessU32:
    case Code::kLessEqualU32:
    case Code::kAnd:
    case Code::kOr:
    case Code::kXor:
    case Code::kNotPred:
    case Code::kNotS32:
    case Code::kSelect:
    case Code::kIsNotZeroS32:
    case Code::kCopy:
      return true;
    default:
      return false;
  }
}

void run_narrow_op(const LaneOp& op, size_t lane_bytes,
                   const Register* registers, size_t n) {
  HWY_DYNAMIC_DISPATCH(run_narrow)(op, lane_bytes, registers, n);
}

}  // namespace hlo::cpu

#endif
