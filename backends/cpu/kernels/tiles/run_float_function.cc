#include "backends/cpu/kernels/tiles/run_float_function.h"

#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/tiles/run_float_function.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/kernels/fused_floats.h"
#include "backends/cpu/kernels/tiles/float_exponentials.h"
#include "backends/cpu/kernels/tiles/float_logarithms.h"

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

/// e^(x - y).
void run_of_difference(const Lanes& own) {
  const Source x = own.x;
  const Source y = own.y;
  if (y.mask != 0) {
    return own.each(
        [=](size_t i) { return exponential_of(hn::Sub(x[i], y[i])); });
  }
  const Floats number = y[0];
  own.each([=](size_t i) { return exponential_of(hn::Sub(x[i], number)); });
}

template <Floats (*kFunction)(Floats)>
bool run_unary(const Lanes& own) {
  own.each([x = own.x](size_t i) { return kFunction(x[i]); });
  return true;
}

bool run(Code code, const Lanes& own) {
  switch (code) {
    case Code::kExponentialF32:
      return run_unary<exponential_of>(own);
    case Code::kExponentialMinusOneF32:
      return run_unary<exponential_less_one>(own);
    case Code::kLogF32:
      return run_unary<log_of>(own);
    case Code::kLogPlusOneF32:
      return run_unary<log_of_one_more>(own);
    case Code::kTanhF32:
      return run_unary<tanh_of>(own);
    case Code::kLogisticF32:
      return run_unary<logistic_of>(own);
    case Code::kErfF32:
      return run_unary<erf_of>(own);
    case Code::kExponentialOfDifferenceF32:
      return run_of_difference(own), true;
    default:
      return false;
  }
}

bool run_on(const TileOp& op, const Register* registers, size_t n) {
  const auto source = [&](uint16_t at) {
    return Source{reinterpret_cast<const float*>(registers[at].first),
                  registers[at].mask};
  };
  return run(op.code, {source(op.operands[0]), source(op.operands[1]),
                       reinterpret_cast<float*>(registers[op.out].first), n});
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(run_on);

}  // namespace

bool run_float_function(const TileOp& op, const Register* registers, size_t n) {
  return HWY_DYNAMIC_DISPATCH(run_on)(op, registers, n);
}

}  // namespace hlo::cpu

#endif
