#include "backends/cpu/kernels/lanes/run_bit_ops.h"

#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/lanes/run_bit_ops.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/kernels/lanes/lane_operations.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// How many bits a lane has, but for some, in every lane.
template <class T>
auto bits_but(T fewer) {
  return hn::Set(hn::ScalableTag<T>(), static_cast<T>(8 * sizeof(T) - fewer));
}

/// Whether any bit is left.
template <class V>
auto is_inside(V amount) {
  using T = hn::TFromV<V>;
  return hn::Lt(amount, bits_but(T{0}));
}

/// The amount where any bit is left, and another one that a lane can be shifted
/// by elsewhere: no vector may be shifted by more.
template <class V>
auto possible(V amount) {
  using T = hn::TFromV<V>;
  return hn::And(amount, bits_but(T{1}));
}

template <class T>
void shift_left(const OpLanes& lanes) {
  binary<T>(lanes, [](auto x, auto amount) {
    return hn::IfThenElseZero(is_inside(amount), hn::Shl(x, possible(amount)));
  });
}

template <class T>
void shift_right_logical(const OpLanes& lanes) {
  binary<T>(lanes, [](auto x, auto amount) {
    return hn::IfThenElseZero(is_inside(amount), hn::Shr(x, possible(amount)));
  });
}

/// By the complement of a negative number, in whose place of signs zeros come.
template <class T>
void shift_right_arithmetic(const OpLanes& lanes) {
  const hn::ScalableTag<hwy::MakeSigned<T>> numbers;
  const hn::ScalableTag<T> words;
  binary<T>(lanes, [&](auto x, auto amount) {
    const auto last = bits_but(T{1});
    const auto fewer = hn::IfThenElse(is_inside(amount), amount, last);
    const auto signs =
        hn::BitCast(words, hn::BroadcastSignBit(hn::BitCast(numbers, x)));
    return hn::Xor(hn::Shr(hn::Xor(x, signs), fewer), signs);
  });
}

template <class T>
void count_ones(const OpLanes& lanes) {
  unary<T>(lanes, [](auto x) { return hn::PopulationCount(x); });
}

/// By the ones of the number whose bits below its first one are all 1.
template <class T>
void count_leading_zeros(const OpLanes& lanes) {
  unary<T>(lanes, [](auto x) {
    x = hn::Or(x, hn::ShiftRight<1>(x));
    x = hn::Or(x, hn::ShiftRight<2>(x));
    x = hn::Or(x, hn::ShiftRight<4>(x));
    x = hn::Or(x, hn::ShiftRight<8>(x));
    x = hn::Or(x, hn::ShiftRight<16>(x));
    if constexpr (sizeof(T) == 8) x = hn::Or(x, hn::ShiftRight<32>(x));
    return hn::PopulationCount(hn::Not(x));
  });
}

void run_one(const LaneOp& op, const Register* registers, size_t n) {
  const OpLanes lanes{op, registers, n};
  switch (op.code) {
    case Code::kShiftLeftS32:
      return shift_left<uint32_t>(lanes);
    case Code::kShiftRightLogicalS32:
      return shift_right_logical<uint32_t>(lanes);
    case Code::kShiftRightArithmeticS32:
      return shift_right_arithmetic<uint32_t>(lanes);
    case Code::kPopcntS32:
      return count_ones<uint32_t>(lanes);
    case Code::kLeadingZerosS32:
      return count_leading_zeros<uint32_t>(lanes);
    case Code::kShiftLeftS64:
      return shift_left<uint64_t>(lanes);
    case Code::kShiftRightLogicalS64:
      return shift_right_logical<uint64_t>(lanes);
    case Code::kShiftRightArithmeticS64:
      return shift_right_arithmetic<uint64_t>(lanes);
    case Code::kPopcntS64:
      return count_ones<uint64_t>(lanes);
    default:
      return count_leading_zeros<uint64_t>(lanes);
  }
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(run_one);

}  // namespace

void run_bit_op(const LaneOp& op, const Register* registers, size_t n) {
  HWY_DYNAMIC_DISPATCH(run_one)(op, registers, n);
}

}  // namespace hlo::cpu

#endif
