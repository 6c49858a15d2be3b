#include "backends/cpu/kernels/tiles/run_float_function.h"

#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/tiles/run_float_function.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/kernels/fused_floats.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<float> kFloats;
const hn::RebindToSigned<decltype(kFloats)> kInts;

using Floats = hn::Vec<decltype(kFloats)>;
using Ints = hn::Vec<decltype(kInts)>;

/// 2^n for -126 <= n <= 127.
Floats power_of_two(Ints n) {
  return hn::BitCast(kFloats,
                     hn::ShiftLeft<23>(hn::Add(n, hn::Set(kInts, 127))));
}

/// x 2^n, rounded once, for integers |n| <= 252 and normal x whose product with
/// 2^(n / 2) is normal.
Floats times_power_of_two(Floats x, Floats n) {
#if HWY_TARGET == HWY_AVX3
  return Floats{_mm512_scalef_ps(x.raw, n.raw)};
#else
  // 2^n may be beyond the range where the product is not.
  const Ints whole = hn::ConvertTo(kInts, n);
  const Ints half = hn::ShiftRight<1>(whole);
  return hn::Mul(hn::Mul(x, power_of_two(half)),
                 power_of_two(hn::Sub(whole, half)));
#endif
}

/// A sum with this is a number of |x| <= 2^22 as an integer, in its last bits.
constexpr float kWhole = 0x1.8p23F;

/// x 2^n where the product is normal; n is a sum with kWhole.
Floats times_power_inside(Floats x, Floats n) {
  return hn::BitCast(
      kFloats,
      hn::Add(hn::BitCast(kInts, x), hn::ShiftLeft<23>(hn::BitCast(kInts, n))));
}

/// terms[0] x^(n-1) + ... + terms[n-1], of fused products.
template <size_t kTerms>
Floats fused_polynomial(Floats x, const float (&terms)[kTerms]) {
  Floats sum = hn::Set(kFloats, terms[0]);
#pragma GCC unroll 16
  for (size_t i = 1; i < kTerms; ++i) {
    sum = fused(sum, x, hn::Set(kFloats, terms[i]));
  }
  return sum;
}

/// e^x = rest 2^n, rest about 1; n is a sum with kWhole.
struct Exponential {
  Floats rest;
  Floats n;
};

/// For |x| <= 110: x = n log(2) + r, where r is `high`, which is exact, and
/// `low`. The polynomial, the best of (e^r - 1 - r) / r^2, is within 2^-28 of
/// e^r with its rounded coefficients, and 1 + high is two words, so that little
/// but the last sum is rounded: over all arguments the result is within 0.69
/// ulp, where it is subnormal within 0.78.
HWY_INLINE Exponential exponential_parts(Floats x) {
  constexpr float kTerms[] = {0x1.6ad158p-10F, 0x1.123f3p-7F, 0x1.55584ep-5F,
                              0x1.55548ap-3F, 0x1.fffffcp-2F};
  const auto set = [](float c) { return hn::Set(kFloats, c); };
  const Floats shifted = fused(x, set(0x1.715476p0F), set(kWhole));
  const Floats n = hn::Sub(shifted, set(kWhole));
  const Floats high = fused(n, set(-0x1.62e4p-1F), x);
  const Floats low = hn::Mul(n, set(-0x1.7f7d1cp-20F));
  const Floats r = hn::Add(high, low);
  // What e^r is beside 1 + high; the square of r counts low in once.
  const Floats beside = fused(hn::Mul(r, r), fused_polynomial(r, kTerms), low);
  const Floats first = hn::Add(set(1), high);
  const Floats second = hn::Sub(high, hn::Sub(first, set(1)));
  return {hn::Add(first, hn::Add(second, beside)), shifted};
}

/// e^x in f32 of any x.
Floats exponential_anywhere(Floats x) {
  const Floats most = hn::Set(kFloats, 110.0F);
  // NaN becomes a number here, too.
  const Floats below = hn::IfThenElse(hn::Lt(x, most), x, most);
  const Exponential parts = exponential_parts(hn::Max(below, hn::Neg(most)));
  const Floats y = times_power_of_two(
      parts.rest, hn::Sub(parts.n, hn::Set(kFloats, kWhole)));
  return hn::IfThenElse(hn::IsNaN(x), hn::Add(x, x), y);
}

/// Where no e^x of a vector is near the ends of the range, it is found sooner.
HWY_INLINE Floats exponential(Floats x) {
  const Floats most = hn::Set(kFloats, 87.0F);
  if (!hn::AllTrue(kFloats, hn::Le(hn::Abs(x), most))) [[unlikely]] {
    return exponential_anywhere(x);
  }
  const Exponential parts = exponential_parts(x);
  return times_power_inside(parts.rest, parts.n);
}

/// erf(x) for |x| <= 1: x and its product with a polynomial of x^2, which is
/// within 2^-29 of the result with its rounded coefficients.
HWY_INLINE Floats erf_near_zero(Floats x) {
  constexpr float kTerms[] = {
      0x1.4771fep-14F, -0x1.a3515ep-11F, 0x1.53f224p-8F, -0x1.b7f71ap-6F,
      0x1.ce2ce6p-4F,  -0x1.81273ep-2F,  0x1.06eba8p-3F};
  return fused(x, fused_polynomial(hn::Mul(x, x), kTerms), x);
}

/// erf(x) for 1 <= x: 1 - 2^q, where 2^q = erfc(x) up to x = 3.9375, behind
/// which the number that f32 has is 1. q is a polynomial of the distance from a
/// place where log2(erfc) is nearly a number of f32; 1 - 2^q is within 2^-29
/// for it, and within 2^-28 for that of 2^(q - n), n an integer.
HWY_INLINE Floats erf_behind_one(Floats x) {
  constexpr float kPlace = 0x1.013p0F;
  constexpr float kLogs[] = {0x1.1c3d08p-12F, -0x1.5a2024p-9F, 0x1.d23b58p-7F,
                             -0x1.e86ad6p-5F, -0x1.3799ccp0F,  -0x1.e8c50ap1F,
                             -0x1.57d23cp1F};
  constexpr float kPowers[] = {0x1.179a36p-13F,
                               0x1.5ef4dep-10F,
                               0x1.3b6816p-7F,
                               0x1.c6af9ep-5F,
                               0x1.ebfb94p-3F,
                               0x1.62e43p-1F,
                               1.0F};
  const auto set = [](float c) { return hn::Set(kFloats, c); };
  const Floats inside = hn::Min(x, set(3.9375F));
  const Floats q = fused_polynomial(hn::Sub(inside, set(kPlace)), kLogs);
  const Floats n = hn::Add(q, set(kWhole));
  const Floats rest = hn::Sub(q, hn::Sub(n, set(kWhole)));
  const Floats power = times_power_inside(fused_polynomial(rest, kPowers), n);
  return hn::Sub(set(1), power);
}

/// What a NaN gives near zero is one.
HWY_INLINE Floats erf_of(Floats x) {
  const Floats magnitude = hn::Abs(x);
  const Floats far = hn::CopySign(erf_behind_one(magnitude), x);
  const auto is_far = hn::Ge(magnitude, hn::Set(kFloats, 1.0F));
  return hn::IfThenElse(is_far, far, erf_near_zero(x));
}

/// The lanes of an operand.
struct Source {
  const float* first;
  size_t mask;

  Floats operator[](size_t i) const {
    return hn::LoadU(kFloats, first + (i & mask));
  }
};

/// The lanes of one operation.
struct Lanes {
  Source x;
  Source y;  // the second operand
  float* out;
  size_t n;

  template <class F>
  void each(F f) const {
    for (size_t i = 0; i < n; i += hn::Lanes(kFloats)) {
      hn::StoreU(f(i), kFloats, out + i);
    }
  }
};

void run(Code code, const Lanes& own) {
  const Source x = own.x;
  const Source y = own.y;
  switch (code) {
    case Code::kErfF32:
      return own.each([=](size_t i) { return erf_of(x[i]); });
    case Code::kExponentialF32:
      return own.each([=](size_t i) { return exponential(x[i]); });
    default:
      break;
  }
  if (y.mask != 0) {
    return own.each([=](size_t i) { return exponential(hn::Sub(x[i], y[i])); });
  }
  const Floats number = y[0];
  own.each([=](size_t i) { return exponential(hn::Sub(x[i], number)); });
}

void run_on(const TileOp& op, const Register* registers, size_t n) {
  const auto source = [&](uint16_t at) {
    return Source{reinterpret_cast<const float*>(registers[at].first),
                  registers[at].mask};
  };
  run(op.code, {source(op.operands[0]), source(op.operands[1]),
                reinterpret_cast<float*>(registers[op.out].first), n});
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(run_on);

bool is_own(Code code) {
  return code == Code::kExponentialF32 || code == Code::kErfF32 ||
         code == Code::kExponentialOfDifferenceF32;
}

}  // namespace

bool run_float_function(const TileOp& op, const Register* registers, size_t n) {
  if (!is_own(op.code)) return false;
  HWY_DYNAMIC_DISPATCH(run_on)(op, registers, n);
  return true;
}

}  // namespace hlo::cpu

#endif
