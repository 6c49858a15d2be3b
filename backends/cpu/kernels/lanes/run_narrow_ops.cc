#include "backends/cpu/kernels/lanes/run_narrow_ops.h"

#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/lanes/run_narrow_ops.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/kernels/lanes/lane_operations.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE VectorOf<int16_t> product(VectorOf<int16_t> x, VectorOf<int16_t> y) {
  return hn::Mul(x, y);
}

/// Vectors multiply no bytes: those of even and of odd places, each as the
/// lower half of a product of 16 bits.
HWY_INLINE VectorOf<int8_t> product(VectorOf<int8_t> x, VectorOf<int8_t> y) {
  const hn::ScalableTag<int8_t> bytes;
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(bytes, static_cast<int8_t>(hn::GetLane(x) * hn::GetLane(y)));
#else
  const hn::Repartition<uint16_t, decltype(bytes)> pairs;
  const auto a = hn::BitCast(pairs, x);
  const auto b = hn::BitCast(pairs, y);
  const auto even = hn::And(hn::Mul(a, b), hn::Set(pairs, 0xff));
  const auto odd = hn::Mul(hn::ShiftRight<8>(a), hn::ShiftRight<8>(b));
  return hn::BitCast(bytes, hn::Or(even, hn::ShiftLeft<8>(odd)));
#endif
}

/// A predicate as 0 or 1 in each lane.
template <class T, class F>
void compare_lanes(const OpLanes& lanes, F f) {
  using Number = hwy::MakeSigned<T>;
  const hn::ScalableTag<Number> numbers;
  const auto one = hn::Set(numbers, Number{1});
  pairs<T>(lanes, numbers, [&](auto x, auto y) {
    return hn::IfThenElseZero(hn::RebindMask(numbers, f(x, y)), one);
  });
}

template <class T>
void select_lanes(const OpLanes& lanes) {
  const hn::ScalableTag<T> numbers;
  const auto chosen = lanes.source<T>(0);
  const auto x = lanes.source<T>(1);
  const auto y = lanes.source<T>(2);
  lanes.each(numbers, [&](size_t i) {
    return hn::IfThenElse(hn::Ne(chosen[i], hn::Zero(numbers)), x[i], y[i]);
  });
}

template <class T>
bool run_order(const OpLanes& l) {
  using Unsigned = hwy::MakeUnsigned<T>;
  switch (l.op.code) {
    case Code::kMaximumS32:
      return binary<T>(l, kGreater), true;
    case Code::kMinimumS32:
      return binary<T>(l, kSmaller), true;
    case Code::kMaximumU32:
      return binary<Unsigned>(l, kGreater), true;
    case Code::kMinimumU32:
      return binary<Unsigned>(l, kSmaller), true;
    case Code::kEqualS32:
      return compare_lanes<T>(l, kIsEqual), true;
    case Code::kNotEqualS32:
      return compare_lanes<T>(l, kIsUnequal), true;
    case Code::kLessS32:
      return compare_lanes<T>(l, kIsLess), true;
    case Code::kLessEqualS32:
      return compare_lanes<T>(l, kIsNotGreater), true;
    case Code::kLessU32:
      return compare_lanes<Unsigned>(l, kIsLess), true;
    case Code::kLessEqualU32:
      return compare_lanes<Unsigned>(l, kIsNotGreater), true;
    default:
      return false;
  }
}

template <class T>
void run_number(const OpLanes& l) {
  const hn::ScalableTag<T> numbers;
  switch (l.op.code) {
    case Code::kAddS32:
      return binary<T>(l, kAdd);
    case Code::kSubtractS32:
      return binary<T>(l, kSubtract);
    case Code::kMultiplyS32:
      return binary<T>(l,
                       [](auto x, auto y) HWY_ATTR { return product(x, y); });
    case Code::kAnd:
      return binary<T>(l, kAndBits);
    case Code::kOr:
      return binary<T>(l, kOrBits);
    case Code::kXor:
      return binary<T>(l, kXorBits);
    case Code::kNegateS32:
      return unary<T>(l, kNegative);
    case Code::kAbsS32:
      return unary<T>(l, kMagnitude);
    case Code::kNotS32:
      return unary<T>(l, kNot);
    case Code::kNotPred:
      return unary<T>(
          l, [&](auto x) { return hn::Xor(x, hn::Set(numbers, T{1})); });
    case Code::kIsNotZeroS32:
      return unary<T>(l, [&](auto x) {
        const auto is_zero = hn::Eq(x, hn::Zero(numbers));
        return hn::IfThenZeroElse(is_zero, hn::Set(numbers, T{1}));
      });
    case Code::kCopy:
      return unary<T>(l, kItself);
    default:
      return select_lanes<T>(l);
  }
}

template <class T>
void run_lanes(const OpLanes& lanes) {
  if (!run_order<T>(lanes)) run_number<T>(lanes);
}

void run_narrow(const LaneOp& op, size_t lane_bytes, const Register* registers,
                size_t n) {
  const OpLanes lanes{op, registers, n};
  return lane_bytes == 1 ? run_lanes<int8_t>(lanes) : run_lanes<int16_t>(lanes);
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
