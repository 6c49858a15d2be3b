// spec/ops/reduce_precision.md
#include <algorithm>

#include "interpreter/error.h"
#include "interpreter/plans/elementwise/elementwise.h"
#include "interpreter/rules/work.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"exponent_bits", AttributeKind::kInt, true},
    {"mantissa_bits", AttributeKind::kInt, true}};

Shape infer(const Instruction& reduce) {
  Shape result = unary_shape(reduce, kFloats);
  require(reduce.get<int64_t>("exponent_bits") >= 1, "reduce-precision.C2",
          {"exponent_bits is ", reduce.get<int64_t>("exponent_bits")},
          "it must be at least 1");
  require(reduce.get<int64_t>("mantissa_bits") >= 0, "reduce-precision.C3",
          {"mantissa_bits is ", reduce.get<int64_t>("mantissa_bits")},
          "it must be at least 0");
  return result;
}

using definition::Real;

/// x rounded to a multiple of 2^exponent, ties to even.
Real round_to(const Real& x, int64_t exponent) {
  return ldexp(rint(ldexp(x, -exponent)), exponent);
}

/// x with fewer bits behind the leading one, of a format whose least normal
/// number is 2^least.
Real round_mantissa(const Real& x, int64_t bits, int64_t least) {
  return round_to(x, std::max(ilogb(x), least) - bits);
}

/// x where numbers of so many bits of exponent have its exponent.
Real limit_exponent(const Real& x, int64_t bits) {
  const int64_t bias = (int64_t{1} << (bits - 1)) - 1;
  if (ilogb(x) > bias) return Real::infinity(signbit(x));
  return ilogb(x) < 1 - bias ? Real::zero(signbit(x)) : x;
}

Real reduced(const Instruction& reduce, Real x, const FloatFormat& format) {
  const auto mantissa_bits = reduce.get<int64_t>("mantissa_bits");
  const auto exponent_bits = reduce.get<int64_t>("exponent_bits");
  if (!isfinite(x) || is_zero(x)) return x;
  if (mantissa_bits < format.mantissa_bits) {
    x = round_mantissa(x, mantissa_bits, format.min_exponent());
  }
  const bool is_narrower = exponent_bits < format.exponent_bits;
  return is_narrower && !is_zero(x) ? limit_exponent(x, exponent_bits) : x;
}

Scalar element(const Instruction& reduce, std::span<const Scalar> x) {
  const Real value =
      reduced(reduce, definition::real_of(x[0]), numeric::format(x[0].type));
  return definition::as_scalar(value, x[0].type);
}

}  // namespace

extern constinit const Op op_reduce_precision{
    .name = "reduce-precision",
    .min_operands = 1,
    .max_operands = 1,
    .attributes = kAttributes,
    .infer = infer,
    .element = element,
    .work = work_of_each<40>,
    .facts = {.formula = "{0}, rounded to mantissa_bits behind its leading "
                         "one, ties to even, and limited to exponents of "
                         "exponent_bits,",
              .behaviour = monotone(kOnAll)}};

}  // namespace hlo
