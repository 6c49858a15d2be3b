#include "backends/cpu/kernels/lanes/run_ops.h"

#include <cmath>

#include "backends/cpu/kernels/lanes/run_bit_ops.h"
#include "backends/cpu/kernels/lanes/run_fast_function.h"
#include "backends/cpu/kernels/lanes/run_function.h"
#include "backends/cpu/kernels/lanes/run_wide_ops.h"
#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/lanes/run_ops.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/kernels/lanes/integer_lanes.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<float> kFloats;
const hn::ScalableTag<int32_t> kInts;

using Floats = hn::Vec<decltype(kFloats)>;
using Ints = hn::Vec<decltype(kInts)>;

template <class M>
Ints as_pred(M mask) {
  return hn::IfThenElseZero(hn::RebindMask(kInts, mask), hn::Set(kInts, 1));
}

template <class F>
void compare(const OpLanes& lanes, F f) {
  pairs<float>(lanes, kInts, [&](auto x, auto y) { return as_pred(f(x, y)); });
}

/// Towards zero; the nearest end beyond the range, 0 for NaN.
Ints to_s32(Floats x) {
  const auto above = hn::Ge(x, hn::Set(kFloats, 0x1p31F));
  const auto below = hn::Lt(x, hn::Set(kFloats, -0x1p31F));
  const auto inside = hn::AndNot(hn::Or(above, below), hn::Eq(x, x));
  Ints result = hn::ConvertTo(kInts, hn::IfThenElseZero(inside, x));
  result = hn::IfThenElse(hn::RebindMask(kInts, above),
                          hn::Set(kInts, INT32_MAX), result);
  return hn::IfThenElse(hn::RebindMask(kInts, below), hn::Set(kInts, INT32_MIN),
                        result);
}

Ints set(int32_t bits) { return hn::Set(kInts, bits); }

/// The bits without the last kBits, rounded to even.
template <int kBits>
Ints rounded(Ints word) {
  const Ints odd = hn::And(hn::ShiftRight<kBits>(word), set(1));
  const Ints half = set((1 << (kBits - 1)) - 1);
  return hn::And(hn::Add(word, hn::Add(half, odd)), set(-(1 << kBits)));
}

HWY_INLINE Floats quiet(Floats x) {
  return hn::IfThenElse(hn::IsNaN(x), hn::Set(kFloats, NAN), x);
}

/// NaN stays one, whatever becomes of its payload.
HWY_INLINE Floats to_bf16(Floats x) {
  const Floats near = hn::BitCast(kFloats, rounded<16>(hn::BitCast(kInts, x)));
  return hn::IfThenElse(hn::IsNaN(x), quiet(x), near);
}

/// NaN keeps its sign and what f16 has room for, as the hardware does it.
HWY_INLINE Floats to_f16(Floats x) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
  const hn::Rebind<hwy::float16_t, decltype(kFloats)> halves;
  return hn::PromoteTo(kFloats, hn::DemoteTo(halves, x));
#else
  // Below 2^-14 the sum with 0.5 ends where f16's subnormals do.
  const Floats magnitude = hn::Abs(x);
  const Floats half = hn::Set(kFloats, 0.5F);
  const Floats small = hn::Sub(hn::Add(magnitude, half), half);
  const Floats near =
      hn::BitCast(kFloats, rounded<13>(hn::BitCast(kInts, magnitude)));
  const Floats large = hn::IfThenElse(hn::Lt(near, hn::Set(kFloats, 0x1p16F)),
                                      near, hn::Set(kFloats, INFINITY));
  const Floats number = hn::IfThenElse(
      hn::Lt(magnitude, hn::Set(kFloats, 0x1p-14F)), small, large);
  constexpr int32_t kQuietNan = 0x7fc00000;
  constexpr int32_t kKept = -(1 << 13);
  const Ints nan =
      hn::Or(hn::And(hn::BitCast(kInts, x), set(kKept)), set(kQuietNan));
  return hn::IfThenElse(hn::IsNaN(x), hn::BitCast(kFloats, nan),
                        hn::CopySign(number, x));
#endif
}

/// The last kBits of a number with its sign, or without one.
template <int kBits>
Ints wrapped(Ints x) {
  return hn::ShiftRight<32 - kBits>(hn::ShiftLeft<32 - kBits>(x));
}

template <int kBits>
Ints last_bits(Ints x) {
  return hn::And(x, set((1 << kBits) - 1));
}

template <int32_t kLeast, int32_t kMost>
Ints saturated(Ints x) {
  return hn::Min(hn::Max(x, set(kLeast)), set(kMost));
}

void clamp(const OpLanes& lanes) {
  const auto low = lanes.source<float>(0);
  const auto x = lanes.source<float>(1);
  const auto high = lanes.source<float>(2);
  lanes.each(kFloats,
             [&](size_t i) { return minimum(maximum(x[i], low[i]), high[i]); });
}

/// An operation whose result may be rounded once more.
template <class F>
void narrowed_binary(const OpLanes& l, F f) {
  switch (l.op.narrowing) {
    case Narrowing::kNone:
      return binary<float>(l, f);
    case Narrowing::kToBf16:
      return binary<float>(
          l, [f](Floats x, Floats y) HWY_ATTR { return to_bf16(f(x, y)); });
    case Narrowing::kToF16:
      return binary<float>(
          l, [f](Floats x, Floats y) HWY_ATTR { return to_f16(f(x, y)); });
  }
}

bool run_float(const OpLanes& l) {
  switch (l.op.code) {
    case Code::kAddF32:
      return narrowed_binary(l, kAdd), true;
    case Code::kSubtractF32:
      return narrowed_binary(l, kSubtract), true;
    case Code::kMultiplyF32:
      return narrowed_binary(l, kMultiply), true;
    case Code::kDivideF32:
      return narrowed_binary(l, kDivide), true;
    case Code::kMaximumF32:
      return binary<float>(l, Inlined<maximum<Floats>>()), true;
    case Code::kMinimumF32:
      return binary<float>(l, Inlined<minimum<Floats>>()), true;
    case Code::kClampF32:
      return clamp(l), true;
    case Code::kNegateF32:
      return unary<float>(l, kNegative), true;
    case Code::kAbsF32:
      return unary<float>(l, kMagnitude), true;
    case Code::kCopy:
      return unary<float>(l, kItself), true;
    case Code::kQuiet:
      return unary<float>(l, Inlined<quiet>()), true;
    case Code::kRoundToBf16:
      return unary<float>(l, Inlined<to_bf16>()), true;
    case Code::kRoundToF16:
      return unary<float>(l, Inlined<to_f16>()), true;
    default:
      return false;
  }
}

bool run_rounding(const OpLanes& l) {
  switch (l.op.code) {
    case Code::kSqrtF32:
      return unary<float>(l, [](Floats x) { return hn::Sqrt(x); }), true;
    case Code::kFloorF32:
      return unary<float>(l, [](Floats x) { return hn::Floor(x); }), true;
    case Code::kCeilF32:
      return unary<float>(l, [](Floats x) { return hn::Ceil(x); }), true;
    case Code::kRoundEvenF32:
      return unary<float>(l, [](Floats x) { return hn::Round(x); }), true;
    case Code::kSignF32:
      return unary<float>(l, Inlined<sign<Floats>>()), true;
    default:
      return false;
  }
}

bool run_comparison(const OpLanes& l) {
  switch (l.op.code) {
    case Code::kEqualF32:
      return compare(l, kIsEqual), true;
    case Code::kNotEqualF32:
      return compare(l, kIsUnequal), true;
    case Code::kLessF32:
      return compare(l, kIsLess), true;
    case Code::kLessEqualF32:
      return compare(l, kIsAtMost), true;
    default:
      return false;
  }
}

bool run_narrowing(const OpLanes& l) {
  switch (l.op.code) {
    case Code::kWrapS8:
      return unary<int32_t>(l, Inlined<wrapped<8>>()), true;
    case Code::kWrapU8:
      return unary<int32_t>(l, Inlined<last_bits<8>>()), true;
    case Code::kWrapS16:
      return unary<int32_t>(l, Inlined<wrapped<16>>()), true;
    case Code::kWrapU16:
      return unary<int32_t>(l, Inlined<last_bits<16>>()), true;
    case Code::kSaturateS8:
      return unary<int32_t>(l, Inlined<saturated<-128, 127>>()), true;
    case Code::kSaturateU8:
      return unary<int32_t>(l, Inlined<saturated<0, 255>>()), true;
    case Code::kSaturateS16:
      return unary<int32_t>(l, Inlined<saturated<-32768, 32767>>()), true;
    case Code::kSaturateU16:
      return unary<int32_t>(l, Inlined<saturated<0, 65535>>()), true;
    default:
      return false;
  }
}

void run_conversion(const OpLanes& l) {
  const auto ints = l.source<int32_t>(0);
  const auto floats = l.source<float>(0);
  switch (l.op.code) {
    case Code::kS32ToF32:
      return l.each(kFloats,
                    [&](size_t i) { return hn::ConvertTo(kFloats, ints[i]); });
    case Code::kF32ToS32:
      return l.each(kInts, [&](size_t i) { return to_s32(floats[i]); });
    case Code::kIsNotZeroF32:
      return l.each(kInts, [&](size_t i) {
        return as_pred(kIsUnequal(floats[i], hn::Zero(kFloats)));
      });
    case Code::kIsFiniteF32:
      return l.each(kInts, [&](size_t i) {
        return as_pred(hn::Lt(hn::Abs(floats[i]), hn::Set(kFloats, INFINITY)));
      });
    default:
      return;
  }
}

void run_one(const LaneOp& op, const Register* registers, size_t n) {
  const OpLanes lanes{op, registers, n};
  if (!run_float(lanes) && !run_rounding(lanes) && !run_comparison(lanes) &&
      !run_integer<int32_t>(lanes) && !run_narrowing(lanes)) {
    run_conversion(lanes);
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

void run_ops(std::span<const LaneOp> ops, const Register* registers, size_t n) {
  for (const LaneOp& op : ops) {
    if (is_bit_op(op.code)) {
      run_bit_op(op, registers, n);
    } else if (is_wide(op.code)) {
      run_wide_op(op, registers, n);
    } else if (is_fast_function(op.code)) {
      run_fast_function(op, registers, n);
    } else if (is_function(op.code)) {
      run_function(op, registers, n);
    } else {
      HWY_DYNAMIC_DISPATCH(run_one)(op, registers, n);
    }
  }
}

}  // namespace hlo::cpu

#endif
