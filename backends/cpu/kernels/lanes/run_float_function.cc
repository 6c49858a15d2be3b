#include "backends/cpu/kernels/lanes/run_float_function.h"

#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/lanes/run_float_function.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/kernels/fused_numbers.h"
#include "backends/cpu/kernels/lanes/exponentials.h"
#include "backends/cpu/kernels/lanes/lane_operations.h"
#include "backends/cpu/kernels/lanes/logarithms.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<float> kFloats;

using Floats = hn::Vec<decltype(kFloats)>;

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
  const Floats n = hn::Add(q, set(ExponentialFacts<float>::kWhole));
  const Floats rest =
      hn::Sub(q, hn::Sub(n, set(ExponentialFacts<float>::kWhole)));
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

bool run_on(const LaneOp& op, const Register* registers, size_t n) {
  const OpLanes lanes{op, registers, n};
  switch (op.code) {
    case Code::kExponentialF32:
      return unary<float>(lanes, Inlined<exponential_of<Floats>>()), true;
    case Code::kExponentialMinusOneF32:
      return unary<float>(lanes, Inlined<exponential_less_one<Floats>>()), true;
    case Code::kLogF32:
      return unary<float>(lanes, Inlined<log_of<Floats>>()), true;
    case Code::kLogPlusOneF32:
      return unary<float>(lanes, Inlined<log_of_one_more<Floats>>()), true;
    case Code::kTanhF32:
      return unary<float>(lanes, Inlined<tanh_of<Floats>>()), true;
    case Code::kLogisticF32:
      return unary<float>(lanes, Inlined<logistic_of<Floats>>()), true;
    case Code::kErfF32:
      return unary<float>(lanes, Inlined<erf_of>()), true;
    case Code::kExponentialOfDifferenceF32:
      return binary<float>(lanes,
                           [](Floats x, Floats y) {
                             return exponential_of(hn::Sub(x, y));
                           }),
             true;
    default:
      return false;
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

bool run_float_function(const LaneOp& op, const Register* registers, size_t n) {
  return HWY_DYNAMIC_DISPATCH(run_on)(op, registers, n);
}

}  // namespace hlo::cpu

#endif
