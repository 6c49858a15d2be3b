// Included anew for each instruction set, so without #pragma once.
#if defined(HLO_CPU_INTEGER_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef HLO_CPU_INTEGER_LANES
#undef HLO_CPU_INTEGER_LANES
#else
#define HLO_CPU_INTEGER_LANES
#endif

#include "backends/cpu/kernels/lanes/lane_operations.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {

/// Vectors multiply no bytes: those of even and of odd places, each as the
/// lower half of a product of 16 bits.
HWY_INLINE VectorOf<int8_t> product_of_bytes(VectorOf<int8_t> x,
                                             VectorOf<int8_t> y) {
  namespace hn = hwy::HWY_NAMESPACE;
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

template <class T>
HWY_INLINE VectorOf<T> product(VectorOf<T> x, VectorOf<T> y) {
  if constexpr (sizeof(T) == 1) {
    return product_of_bytes(x, y);
  } else {
    return hwy::HWY_NAMESPACE::Mul(x, y);
  }
}

/// A truth value as 0 or 1 in each lane.
template <class T, class F>
void compare_lanes(const OpLanes& lanes, F f) {
  using Number = hwy::MakeSigned<T>;
  const hwy::HWY_NAMESPACE::ScalableTag<Number> numbers;
  const auto one = hwy::HWY_NAMESPACE::Set(numbers, Number{1});
  pairs<T>(lanes, numbers, [&](auto x, auto y) {
    return hwy::HWY_NAMESPACE::IfThenElseZero(
        hwy::HWY_NAMESPACE::RebindMask(numbers, f(x, y)), one);
  });
}

template <class T>
void select_lanes(const OpLanes& lanes) {
  const hwy::HWY_NAMESPACE::ScalableTag<T> numbers;
  const auto chosen = lanes.source<T>(0);
  const auto x = lanes.source<T>(1);
  const auto y = lanes.source<T>(2);
  lanes.each(numbers, [&](size_t i) {
    return hwy::HWY_NAMESPACE::IfThenElse(
        hwy::HWY_NAMESPACE::Ne(chosen[i], hwy::HWY_NAMESPACE::Zero(numbers)),
        x[i], y[i]);
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
bool run_bits(const OpLanes& l) {
  const hwy::HWY_NAMESPACE::ScalableTag<T> numbers;
  switch (l.op.code) {
    case Code::kAnd:
      return binary<T>(l, kAndBits), true;
    case Code::kOr:
      return binary<T>(l, kOrBits), true;
    case Code::kXor:
      return binary<T>(l, kXorBits), true;
    case Code::kNotS32:
      return unary<T>(l, kNot), true;
    case Code::kNotPred:
      return unary<T>(l,
                      [&](auto x) {
                        return hwy::HWY_NAMESPACE::Xor(
                            x, hwy::HWY_NAMESPACE::Set(numbers, T{1}));
                      }),
             true;
    default:
      return false;
  }
}

template <class T>
bool run_number(const OpLanes& l) {
  const hwy::HWY_NAMESPACE::ScalableTag<T> numbers;
  switch (l.op.code) {
    case Code::kAddS32:
      return binary<T>(l, kAdd), true;
    case Code::kSubtractS32:
      return binary<T>(l, kSubtract), true;
    case Code::kMultiplyS32:
      return binary<T>(
                 l, [](auto x, auto y) HWY_ATTR { return product<T>(x, y); }),
             true;
    case Code::kNegateS32:
      return unary<T>(l, kNegative), true;
    case Code::kAbsS32:
      return unary<T>(l, kMagnitude), true;
    case Code::kIsNotZeroS32:
      return unary<T>(l,
                      [&](auto x) {
                        const auto is_zero = hwy::HWY_NAMESPACE::Eq(
                            x, hwy::HWY_NAMESPACE::Zero(numbers));
                        return hwy::HWY_NAMESPACE::IfThenZeroElse(
                            is_zero, hwy::HWY_NAMESPACE::Set(numbers, T{1}));
                      }),
             true;
    case Code::kCopy:
      return unary<T>(l, kItself), true;
    case Code::kSelect:
      return select_lanes<T>(l), true;
    default:
      return false;
  }
}

/// Runs an operation on integers and truth values in lanes as wide as T, which
/// has a sign; whether it is one.
template <class T>
bool run_integer(const OpLanes& lanes) {
  return run_order<T>(lanes) || run_bits<T>(lanes) || run_number<T>(lanes);
}

}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#endif
