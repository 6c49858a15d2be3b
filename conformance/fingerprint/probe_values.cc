#include "conformance/fingerprint/probe_values.h"

#include <algorithm>
#include <cmath>

#include "conformance/fingerprint/unit_arithmetic.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

struct Factors {
  double a = 0;
  double b = 1;
};

/// Operands of that product: the number itself and 1, or with half of its
/// exponent each.
std::optional<Factors> factors_of(double value,
                                  const SummedOperation& operation) {
  const auto& row = numeric::format(operation.operand);
  // A subnormal operand might be flushed, where two normal ones are not.
  const bool plain = value == 0 || !std::isfinite(value) ||
                     !operation.has_products() ||
                     std::fabs(value) >= std::ldexp(1, row.min_exponent());
  if (plain && has_code(value, operation.operand)) return Factors{value, 1};
  if (!operation.has_products() || value == 0) return std::nullopt;
  const double b = std::ldexp(1, exponent_of(value) / 2);
  const Factors factors{value / b, b};
  const bool fit = has_code(factors.a, operation.operand) &&
                   has_code(b, operation.operand) &&
                   factors.a * factors.b == value;
  if (!fit) return std::nullopt;
  return factors;
}

}  // namespace

bool has_code(double value, ElementType type) {
  const auto& row = numeric::format(type);
  const double back = numeric::decode(numeric::encode(value, row), row);
  return back == value || (std::isnan(back) && std::isnan(value));
}

bool ProbeRows::add(const std::vector<double>& terms) {
  std::vector<double> a;
  std::vector<double> b;
  for (const double term : terms) {
    const auto factors = factors_of(term, operation_);
    if (!factors) return false;
    a.push_back(factors->a);
    b.push_back(factors->b);
  }
  rows_.add(a, b);
  return true;
}

ProbeRange probe_range(const SummedOperation& operation) {
  const auto& operand = numeric::format(operation.operand);
  const auto& result = numeric::format(operation.result);
  const int factors = operation.has_products() ? 2 : 1;
  // Three times the largest term does not overflow.
  const int high =
      std::min(factors * operand.max_exponent(), result.max_exponent() - 2);
  const int low =
      std::max(factors * operand.min_exponent(), result.min_exponent());
  return {low, high};
}

}  // namespace hlo::conformance
