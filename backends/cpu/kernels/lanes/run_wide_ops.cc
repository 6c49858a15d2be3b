#include "backends/cpu/kernels/lanes/run_wide_ops.h"

#include "backends/cpu/kernels/lanes/run_wide_function.h"
#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/lanes/run_wide_ops.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/kernels/lanes/lane_operations.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<double> kDoubles;
const hn::ScalableTag<int64_t> kLongs;
const hn::ScalableTag<uint64_t> kWords;
// As many lanes of 32 bits.
const hn::Rebind<float, decltype(kDoubles)> kHalfFloats;
const hn::Rebind<int32_t, decltype(kDoubles)> kHalfInts;
const hn::Rebind<uint32_t, decltype(kDoubles)> kHalfWords;

using Doubles = hn::Vec<decltype(kDoubles)>;
using Longs = hn::Vec<decltype(kLongs)>;
using Words64 = hn::Vec<decltype(kWords)>;

Doubles set(double x) { return hn::Set(kDoubles, x); }

/// The last 32 bits of each lane.
template <class V>
auto last_half(V x) {
  return hn::TruncateTo(kHalfWords, hn::BitCast(kWords, x));
}

template <class M>
Words64 as_word(M mask) {
  return hn::IfThenElseZero(hn::RebindMask(kWords, mask), hn::Set(kWords, 1));
}

template <class M>
auto as_pred(M mask) {
  return last_half(as_word(mask));
}

template <class T, class F>
void compare(const OpLanes& lanes, F f) {
  pairs<T>(lanes, kHalfWords, [&](auto x, auto y) { return as_pred(f(x, y)); });
}

void select(const OpLanes& lanes) {
  const auto chosen = lanes.source<uint32_t>(0);
  const auto x = lanes.source<uint64_t>(1);
  const auto y = lanes.source<uint64_t>(2);
  lanes.each(kWords, [&](size_t i) {
    const auto wide = hn::PromoteTo(kWords, chosen.load(kHalfWords, i));
    return hn::IfThenElse(hn::Ne(wide, hn::Zero(kWords)), x[i], y[i]);
  });
}

/// Whole numbers from 0 to 2^52 - 1 as doubles with other bits in front.
constexpr double kWhole = 0x1p52;

template <class V>
Doubles from_u32(V x) {
  const auto bits =
      hn::Or(hn::PromoteTo(kWords, x), hn::BitCast(kWords, set(kWhole)));
  return hn::Sub(hn::BitCast(kDoubles, bits), set(kWhole));
}

/// NaN becomes 0, and what is beyond an end that end.
Doubles between(Doubles x, double least, double most) {
  const Doubles number = hn::IfThenElseZero(hn::Eq(x, x), x);
  return hn::Min(hn::Max(number, set(least)), set(most));
}

/// Towards zero, as the last bits of a sum.
auto to_int(Doubles x, double least, double most) {
  const Doubles whole = hn::Trunc(between(x, least, most));
  return last_half(hn::Add(whole, set(0x1.8p52)));
}

Longs to_s64(Doubles x) {
  const auto above = hn::Ge(x, set(0x1p63));
  const auto below = hn::Lt(x, set(-0x1p63));
  const auto inside = hn::AndNot(hn::Or(above, below), hn::Eq(x, x));
  Longs y = hn::ConvertTo(kLongs, hn::IfThenElseZero(inside, x));
  y = hn::IfThenElse(hn::RebindMask(kLongs, above), hn::Set(kLongs, INT64_MAX),
                     y);
  return hn::IfThenElse(hn::RebindMask(kLongs, below),
                        hn::Set(kLongs, INT64_MIN), y);
}

/// The number as two that are exact.
Words<Doubles> halves(Longs x) {
  const auto high = hn::BitCast(
      kHalfInts, last_half(hn::ShiftRight<32>(hn::BitCast(kWords, x))));
  return {hn::Mul(hn::PromoteTo(kDoubles, high), set(0x1p32)),
          from_u32(last_half(x))};
}

Doubles from_s64(Longs x) {
  const Words<Doubles> parts = halves(x);
  return hn::Add(parts.high, parts.low);
}

/// The bits of a magnitude that lost something: the next one towards zero,
/// where it is `larger` than what it came of, with its last bit set.
template <class V>
V odd(V bits, V is_larger, V is_inexact) {
  return hn::Or(hn::Sub(bits, is_larger), is_inexact);
}

Doubles odd_from_s64(Longs x) {
  const Words<Doubles> parts = halves(x);
  const Words<Doubles> sum = sum_of_ordered(parts.high, parts.low);
  const Doubles zero = hn::Zero(kDoubles);
  const auto is_larger = hn::Lt(hn::Mul(sum.high, sum.low), zero);
  return hn::BitCast(kDoubles,
                     odd(hn::BitCast(kWords, sum.high), as_word(is_larger),
                         as_word(kIsUnequal(sum.low, zero))));
}

/// NaN stays one.
auto odd_f32(Doubles x) {
  const auto near = narrowed(x);
  const Doubles back = hn::Abs(hn::PromoteTo(kDoubles, near));
  const auto is_larger = hn::Gt(back, hn::Abs(x));
  const auto is_inexact = hn::Or(is_larger, hn::Lt(back, hn::Abs(x)));
  return hn::BitCast(kHalfFloats, odd(hn::BitCast(kHalfWords, near),
                                      last_half(as_word(is_larger)),
                                      last_half(as_word(is_inexact))));
}

// Without SSE4 Highway gives +0 for what becomes -0.
HWY_INLINE Doubles floor_of(Doubles x) { return hn::CopySign(hn::Floor(x), x); }

HWY_INLINE Doubles ceil_of(Doubles x) { return hn::CopySign(hn::Ceil(x), x); }

HWY_INLINE Doubles round_of(Doubles x) { return hn::CopySign(hn::Round(x), x); }

bool run_float(const OpLanes& l) {
  switch (l.op.code) {
    case Code::kAddF64:
      return binary<double>(l, kAdd), true;
    case Code::kSubtractF64:
      return binary<double>(l, kSubtract), true;
    case Code::kMultiplyF64:
      return binary<double>(l, kMultiply), true;
    case Code::kDivideF64:
      return binary<double>(l, kDivide), true;
    case Code::kMaximumF64:
      return binary<double>(l, Inlined<maximum<Doubles>>()), true;
    case Code::kMinimumF64:
      return binary<double>(l, Inlined<minimum<Doubles>>()), true;
    case Code::kNegateF64:
      return unary<double>(l, kNegative), true;
    case Code::kAbsF64:
      return unary<double>(l, kMagnitude), true;
    case Code::kSqrtF64:
      return unary<double>(l, [](Doubles x) { return hn::Sqrt(x); }), true;
    case Code::kSignF64:
      return unary<double>(l, Inlined<sign<Doubles>>()), true;
    case Code::kFloorF64:
      return unary<double>(l, Inlined<floor_of>()), true;
    case Code::kCeilF64:
      return unary<double>(l, Inlined<ceil_of>()), true;
    case Code::kRoundEvenF64:
      return unary<double>(l, Inlined<round_of>()), true;
    default:
      return false;
  }
}

bool run_integer(const OpLanes& l) {
  switch (l.op.code) {
    case Code::kAddS64:
      return binary<int64_t>(l, kAdd), true;
    case Code::kSubtractS64:
      return binary<int64_t>(l, kSubtract), true;
    case Code::kMultiplyS64:
      return binary<int64_t>(l, kMultiply), true;
    case Code::kMaximumS64:
      return binary<int64_t>(l, kGreater), true;
    case Code::kMinimumS64:
      return binary<int64_t>(l, kSmaller), true;
    case Code::kMaximumU64:
      return binary<uint64_t>(l, kGreater), true;
    case Code::kMinimumU64:
      return binary<uint64_t>(l, kSmaller), true;
    case Code::kNegateS64:
      return unary<int64_t>(l, kNegative), true;
    case Code::kAbsS64:
      return unary<int64_t>(l, kMagnitude), true;
    case Code::kAnd64:
      return binary<int64_t>(l, kAndBits), true;
    case Code::kOr64:
      return binary<int64_t>(l, kOrBits), true;
    case Code::kXor64:
      return binary<int64_t>(l, kXorBits), true;
    case Code::kNot64:
      return unary<int64_t>(l, kNot), true;
    case Code::kCopy64:
      return unary<int64_t>(l, kItself), true;
    case Code::kSelect64:
      return select(l), true;
    default:
      return false;
  }
}

bool run_comparison(const OpLanes& l) {
  switch (l.op.code) {
    case Code::kEqualF64:
      return compare<double>(l, kIsEqual), true;
    case Code::kNotEqualF64:
      return compare<double>(l, kIsUnequal), true;
    case Code::kLessF64:
      return compare<double>(l, kIsLess), true;
    case Code::kLessEqualF64:
      return compare<double>(l, kIsAtMost), true;
    case Code::kEqualS64:
      return compare<int64_t>(l, kIsEqual), true;
    case Code::kNotEqualS64:
      return compare<int64_t>(l, kIsUnequal), true;
    case Code::kLessS64:
      return compare<int64_t>(l, kIsLess), true;
    case Code::kLessEqualS64:
      return compare<int64_t>(l, kIsNotGreater), true;
    case Code::kLessU64:
      return compare<uint64_t>(l, kIsLess), true;
    case Code::kLessEqualU64:
      return compare<uint64_t>(l, kIsNotGreater), true;
    default:
      return false;
  }
}

bool run_widening(const OpLanes& l) {
  const auto floats = l.source<float>(0);
  const auto ints = l.source<int32_t>(0);
  const auto words = l.source<uint32_t>(0);
  switch (l.op.code) {
    case Code::kF32ToF64:
      l.each(kDoubles, [&](size_t i) {
        return hn::PromoteTo(kDoubles, floats.load(kHalfFloats, i));
      });
      return true;
    case Code::kS32ToF64:
      l.each(kDoubles, [&](size_t i) {
        return hn::PromoteTo(kDoubles, ints.load(kHalfInts, i));
      });
      return true;
    case Code::kU32ToF64:
      l.each(kDoubles,
             [&](size_t i) { return from_u32(words.load(kHalfWords, i)); });
      return true;
    case Code::kS32ToS64:
      l.each(kLongs, [&](size_t i) {
        return hn::PromoteTo(kLongs, ints.load(kHalfInts, i));
      });
      return true;
    case Code::kU32ToS64:
      l.each(kWords, [&](size_t i) {
        return hn::PromoteTo(kWords, words.load(kHalfWords, i));
      });
      return true;
    default:
      return false;
  }
}

void run_narrowing(const OpLanes& l) {
  const auto doubles = l.source<double>(0);
  const auto longs = l.source<int64_t>(0);
  switch (l.op.code) {
    case Code::kF64ToF32:
      return l.each(kHalfFloats,
                    [&](size_t i) { return narrowed(doubles[i]); });
    case Code::kF64ToOddF32:
      return l.each(kHalfFloats, [&](size_t i) { return odd_f32(doubles[i]); });
    case Code::kF64ToS32:
      return l.each(kHalfWords, [&](size_t i) {
        return to_int(doubles[i], -0x1p31, 0x1p31 - 1);
      });
    case Code::kF64ToU32:
      return l.each(kHalfWords, [&](size_t i) {
        return to_int(doubles[i], 0, 0x1p32 - 1);
      });
    case Code::kF64ToS64:
      return l.each(kLongs, [&](size_t i) { return to_s64(doubles[i]); });
    case Code::kS64ToF64:
      return l.each(kDoubles, [&](size_t i) { return from_s64(longs[i]); });
    case Code::kS64ToOddF64:
      return l.each(kDoubles, [&](size_t i) { return odd_from_s64(longs[i]); });
    case Code::kS64ToS32:
      return l.each(kHalfWords, [&](size_t i) { return last_half(longs[i]); });
    case Code::kIsNotZeroF64:
      return l.each(kHalfWords, [&](size_t i) {
        return as_pred(kIsUnequal(doubles[i], hn::Zero(kDoubles)));
      });
    case Code::kIsFiniteF64:
      return l.each(kHalfWords, [&](size_t i) {
        return as_pred(hn::Lt(hn::Abs(doubles[i]), set(HUGE_VAL)));
      });
    default:
      return l.each(kHalfWords, [&](size_t i) {
        return as_pred(hn::Ne(longs[i], hn::Zero(kLongs)));
      });
  }
}

void run_one(const LaneOp& op, const Register* registers, size_t n) {
  const OpLanes lanes{op, registers, n};
  if (!run_float(lanes) && !run_integer(lanes) && !run_comparison(lanes) &&
      !run_widening(lanes)) {
    run_narrowing(lanes);
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

void run_wide_op(const LaneOp& op, const Register* registers, size_t n) {
  if (is_wide_function(op.code)) {
    run_wide_function(op, registers, n);
  } else {
    HWY_DYNAMIC_DISPATCH(run_one)(op, registers, n);
  }
}

}  // namespace hlo::cpu

#endif
