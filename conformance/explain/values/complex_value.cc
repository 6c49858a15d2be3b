#include "conformance/explain/values/complex_value.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "conformance/explain/values/number_of.h"
#include "interpreter/numeric/complex/rounded_complex.h"

namespace hlo::conformance {
namespace {

using numeric::ComplexBits;
using Values = std::optional<std::vector<RealValue>>;

const numeric::FloatFormat& f64() { return numeric::format(ElementType::kF64); }

/// The parts as codes of f64, which holds those of every type.
ComplexBits in_doubles(const Scalar& scalar) {
  const std::vector<double> parts = parts_of(scalar);
  return {std::bit_cast<uint64_t>(parts[0]),
          std::bit_cast<uint64_t>(parts.size() > 1 ? parts[1] : 0.0)};
}

Values near(std::initializer_list<numeric::Rounded> parts) {
  std::vector<RealValue> values;
  for (const numeric::Rounded& part : parts) {
    const auto value = value_near(part);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

Values near(const numeric::RoundedComplex& value) {
  return near({value.re, value.im});
}

/// The exact numbers that the operation states of each part.
Values stated(const Op& op, std::span<const Scalar> operands, size_t parts) {
  std::vector<RealValue> values;
  for (size_t part = 0; part < parts; ++part) {
    const auto exact = exact_part(op, operands, part);
    if (!exact) return std::nullopt;
    values.push_back(RealValue::of(*exact));
  }
  return values;
}

bool is_finite(const Scalar& scalar) {
  if (!is_float(scalar.type) && !is_complex(scalar.type)) return false;
  return std::ranges::all_of(parts_of(scalar),
                             [](double x) { return std::isfinite(x); });
}

}  // namespace

std::optional<std::vector<RealValue>> complex_value(
    const Op& op, std::span<const Scalar> operands, ElementType result) {
  if (auto values = stated(op, operands, is_complex(result) ? 2 : 1)) {
    return values;
  }
  if (!std::ranges::all_of(operands, is_finite)) return std::nullopt;
  const ComplexBits x = in_doubles(operands[0]);
  const Accuracy& accuracy = op.accuracy;
  if (accuracy.complex_function) {
    return near(numeric::round_complex(*accuracy.complex_function, x, f64()));
  }
  if (accuracy.complex_function2) {
    return near(numeric::round_complex2(*accuracy.complex_function2, x,
                                        in_doubles(operands[1]), f64()));
  }
  // A number of which nothing but the sign has changed.
  const bool is_modulus = accuracy.sets_sign && is_float(result);
  if (!is_modulus) return std::nullopt;
  return near({numeric::round_complex_abs(x, f64())});
}

}  // namespace hlo::conformance
