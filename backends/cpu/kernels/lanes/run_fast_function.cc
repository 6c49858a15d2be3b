#include "backends/cpu/kernels/lanes/run_fast_function.h"

#include <limits>

#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/lanes/run_fast_function.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/kernels/fused_numbers.h"
#include "backends/cpu/kernels/lanes/lane_operations.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<float> kFloats;
const hn::RebindToSigned<decltype(kFloats)> kInts;

using Floats = hn::Vec<decltype(kFloats)>;
using Ints = hn::Vec<decltype(kInts)>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kLeastNormal = std::numeric_limits<float>::min();

Floats set(float x) { return hn::Set(kFloats, x); }

/// x between -most and most; NaN stays NaN.
HWY_INLINE Floats clamped(Floats x, float most) {
#if HWY_TARGET == HWY_AVX3
  // These give the second operand where one is NaN.
  return hn::Max(set(-most), hn::Min(set(most), x));
#else
  const Floats below = hn::IfThenElse(hn::Gt(x, set(most)), set(most), x);
  return hn::IfThenElse(hn::Lt(below, set(-most)), set(-most), below);
#endif
}

/// A whole number as an integer; for NaN, which none is, 0.
HWY_INLINE Ints integer_of(Floats n) {
  return hn::ConvertTo(kInts, hn::IfThenElseZero(hn::Eq(n, n), n));
}

/// 2^n for whole n from -126 to 127.
HWY_INLINE Floats power_of_two(Ints n) {
  return hn::BitCast(kFloats,
                     hn::ShiftLeft<23>(hn::Add(n, hn::Set(kInts, 127))));
}

/// x 2^n for whole |n| <= 252, as power_of_two(n / 2) may be beyond the range
/// where the product is not.
HWY_INLINE Floats times_power_of_two(Floats x, Floats n) {
#if HWY_TARGET == HWY_AVX3
  return Floats{_mm512_scalef_ps(x.raw, n.raw)};
#else
  const Ints whole = integer_of(n);
  const Ints half = hn::ShiftRight<1>(whole);
  return hn::Mul(hn::Mul(x, power_of_two(half)),
                 power_of_two(hn::Sub(whole, half)));
#endif
}

/// x = n log(2) + r with |r| <= log(2) / 2.
struct Reduced {
  Floats n;
  Floats r;
};

/// For |x| <= 110: the product with the first part of log(2) is exact.
HWY_INLINE Reduced reduced(Floats x) {
  const Floats n = hn::Round(hn::Mul(x, set(0x1.715476p0F)));
  const Floats high = fused(n, set(-0x1.62e4p-1F), x);
  return {n, fused(n, set(-0x1.7f7d1cp-20F), high)};
}

/// The polynomial is the best one of e^r, relative, that begins with 1: it ends
/// within 2^-28 of it.
HWY_INLINE Floats exponential(Floats x) {
  constexpr float kTerms[] = {0x1.709c9ap-10F,
                              0x1.1290a4p-7F,
                              0x1.55515cp-5F,
                              0x1.5553cp-3F,
                              0x1.000002p-1F,
                              1.0F,
                              1.0F};
  const Reduced at = reduced(clamped(x, 110));
  return times_power_of_two(fused_polynomial(at.r, kTerms), at.n);
}

/// e^x - 1, for |x| <= 80, by the best polynomial of (e^r - 1 - r) / r^2, with
/// which e^r - 1 ends within 2^-30 of it, relative.
HWY_INLINE Floats exponential_less_one(Floats x) {
  constexpr float kTerms[] = {0x1.a6a042p-13F, 0x1.6d6c0ap-10F, 0x1.110c8ep-7F,
                              0x1.5554c2p-5F,  0x1.555558p-3F,  0.5F};
  const Reduced at = reduced(x);
  const Floats part =
      fused(fused_polynomial(at.r, kTerms), hn::Mul(at.r, at.r), at.r);
  const Floats power = power_of_two(integer_of(at.n));
  return fused(power, part, hn::Sub(power, set(1)));
}

/// (e^2x - 1) / (e^2x + 1), which is 1 in f32 from 10 on.
HWY_INLINE Floats tanh_of(Floats x) {
  const Floats at = clamped(x, 10);
  const Floats less_one = exponential_less_one(hn::Add(at, at));
  const Floats y = hn::Div(less_one, hn::Add(less_one, set(2)));
  return hn::CopySign(y, x);
}

HWY_INLINE Floats logistic(Floats x) {
  return hn::Div(set(1), hn::Add(set(1), exponential(hn::Neg(x))));
}

/// x = m 2^e with m from sqrt(1/2) to sqrt(2), and log(1 + f) = f - f^2 / 2 +
/// f^3 p, f = m - 1, with the best polynomial p: within 2^-24, relative. What
/// is subnormal counts as zero.
HWY_INLINE Floats log_of(Floats x) {
  constexpr float kTerms[] = {-0x1.38b59p-4F,  0x1.055b6cp-3F,  -0x1.0d8544p-3F,
                              0x1.22da1cp-3F,  -0x1.547244p-3F, 0x1.99a008p-3F,
                              -0x1.000226p-2F, 0x1.555554p-2F};
  const Ints root = hn::Set(kInts, 0x3f3504f3);  // sqrt(1/2)
  const Ints above = hn::Sub(hn::BitCast(kInts, x), root);
  const Floats e = hn::ConvertTo(kFloats, hn::ShiftRight<23>(above));
  const Ints fraction = hn::And(above, hn::Set(kInts, 0x007fffff));
  const Floats f =
      hn::Sub(hn::BitCast(kFloats, hn::Add(fraction, root)), set(1));
  const Floats square = hn::Mul(f, f);
  Floats y = hn::Mul(hn::Mul(square, f), fused_polynomial(f, kTerms));
  y = fused(e, set(0x1.7f7d1cp-20F), y);
  y = fused(square, set(-0.5F), y);
  y = fused(e, set(0x1.62e4p-1F), hn::Add(f, y));
  const Floats infinity = set(kInfinity);
  y = hn::IfThenElse(hn::Lt(x, infinity), y, hn::Add(x, infinity));
  const auto is_zero = hn::Lt(hn::Abs(x), set(kLeastNormal));
  y = hn::IfThenElse(hn::Lt(x, hn::Zero(kFloats)), set(kNan), y);
  return hn::IfThenElse(is_zero, hn::Neg(infinity), y);
}

/// x p(x^2) / q(x^2), the best such quotient: within 2^-25 of erf(x), relative,
/// before rounding, up to where f32 has 1.
HWY_INLINE Floats erf_of(Floats x) {
  constexpr float kUpper[] = {0x1.13279ep-19F, 0x1.2ab8c4p-12F, 0x1.ed936ap-9F,
                              0x1.b01e8cp-5F,  0x1.85f4b8p-3F,  0x1.20dd74p0F};
  constexpr float kLower[] = {0x1.3f88d8p-15F, 0x1.30c166p-10F, 0x1.ea8412p-7F,
                              0x1.d364cep-4F,  0x1.01105p-1F,   1.0F};
  const Floats at = clamped(x, 3.92F);
  const Floats square = hn::Mul(at, at);
  const Floats y = hn::Div(hn::Mul(at, fused_polynomial(square, kUpper)),
                           fused_polynomial(square, kLower));
  return clamped(y, 1);
}

Floats rsqrt(Floats x) { return hn::Div(set(1), hn::Sqrt(x)); }

/// Whether 1 / y is neither subnormal nor infinite, nor y subnormal.
HWY_INLINE auto has_inverse(Floats y) {
  const Floats magnitude = hn::Abs(y);
  return hn::And(hn::Ge(magnitude, set(kLeastNormal)),
                 hn::Le(magnitude, set(1 / kLeastNormal)));
}

HWY_INLINE Floats quotient(Floats x, Floats y) {
  const Floats product = hn::Mul(x, hn::Div(set(1), y));
  return hn::IfThenElse(has_inverse(y), product, hn::Div(x, y));
}

void divide(const OpLanes& lanes) {
  const auto divisor = lanes.source<float>(1);
  if (!divisor.is_one_number() ||
      !hn::AllTrue(kFloats, has_inverse(divisor[0]))) {
    return binary<float>(lanes, Inlined<quotient>());
  }
  const Floats inverse = hn::Div(set(1), divisor[0]);
  unary<float>(lanes, [&](Floats x) { return hn::Mul(x, inverse); });
}

void run_on(const LaneOp& op, const Register* registers, size_t n) {
  const OpLanes lanes{op, registers, n};
  switch (op.code) {
    case Code::kFastDivideF32:
      return divide(lanes);
    case Code::kFastRsqrtF32:
      return unary<float>(lanes, Inlined<rsqrt>());
    case Code::kFastExponentialF32:
      return unary<float>(lanes, [](Floats x) { return exponential(x); });
    case Code::kFastLogF32:
      return unary<float>(lanes, Inlined<log_of>());
    case Code::kFastTanhF32:
      return unary<float>(lanes, Inlined<tanh_of>());
    case Code::kFastLogisticF32:
      return unary<float>(lanes, Inlined<logistic>());
    default:
      return unary<float>(lanes, Inlined<erf_of>());
  }
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(run_on);

}  // namespace

std::optional<Code> fast_code(Code code) {
  switch (code) {
    case Code::kDivideF32:
      return Code::kFastDivideF32;
    case Code::kRsqrtF32:
      return Code::kFastRsqrtF32;
    case Code::kExponentialF32:
      return Code::kFastExponentialF32;
    case Code::kLogF32:
      return Code::kFastLogF32;
    case Code::kTanhF32:
      return Code::kFastTanhF32;
    case Code::kLogisticF32:
      return Code::kFastLogisticF32;
    case Code::kErfF32:
      return Code::kFastErfF32;
    default:
      return std::nullopt;
  }
}

void run_fast_function(const LaneOp& op, const Register* registers, size_t n) {
  HWY_DYNAMIC_DISPATCH(run_on)(op, registers, n);
}

}  // namespace hlo::cpu

#endif
