#include "conformance/explain/values/complex_value.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string_view>

#include "conformance/explain/values/number_of.h"
#include "interpreter/numeric/complex/rounded_complex.h"

namespace hlo::conformance {
namespace {

using numeric::ComplexBits;
using numeric::ComplexFunction;
using numeric::ComplexFunction2;
using Values = std::optional<std::vector<RealValue>>;

struct Row {
  std::string_view name;
  ComplexFunction function;
};

constexpr auto kRows = std::to_array<Row>({
    {"acos", ComplexFunction::kAcos},
    {"acosh", ComplexFunction::kAcosh},
    {"asin", ComplexFunction::kAsin},
    {"asinh", ComplexFunction::kAsinh},
    {"atanh", ComplexFunction::kAtanh},
    {"cosh", ComplexFunction::kCosh},
    {"cosine", ComplexFunction::kCosine},
    {"exponential", ComplexFunction::kExponential},
    {"exponential-minus-one", ComplexFunction::kExponentialMinusOne},
    {"log", ComplexFunction::kLog},
    {"log-plus-one", ComplexFunction::kLogPlusOne},
    {"logistic", ComplexFunction::kLogistic},
    {"rsqrt", ComplexFunction::kRsqrt},
    {"sign", ComplexFunction::kSign},
    {"sine", ComplexFunction::kSine},
    {"sinh", ComplexFunction::kSinh},
    {"sqrt", ComplexFunction::kSqrt},
    {"tan", ComplexFunction::kTan},
    {"tanh", ComplexFunction::kTanh},
});

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

/// Real and imaginary part without rounding.
struct Exact {
  Fraction re;
  Fraction im;
};

Exact exact(const Scalar& scalar) {
  const std::vector<double> parts = parts_of(scalar);
  return {Fraction(parts[0]), Fraction(parts.size() > 1 ? parts[1] : 0.0)};
}

Values known(const Exact& value) {
  return std::vector<RealValue>{RealValue::of(value.re),
                                RealValue::of(value.im)};
}

Exact product(const Exact& a, const Exact& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// The rational operations of finite numbers.
Values rational(std::string_view name, std::span<const Scalar> operands) {
  const Exact a = exact(operands[0]);
  if (name == "negate") return known({Fraction() - a.re, Fraction() - a.im});
  if (name == "convert") return known(a);
  if (operands.size() != 2) return std::nullopt;
  const Exact b = exact(operands[1]);
  if (name == "complex") return known({a.re, b.re});
  if (name == "add") return known({a.re + b.re, a.im + b.im});
  if (name == "subtract") return known({a.re - b.re, a.im - b.im});
  if (name == "multiply") return known(product(a, b));
  if (name != "divide") return std::nullopt;
  const Fraction norm = b.re * b.re + b.im * b.im;
  if (norm.sign() == 0) return std::nullopt;
  const Exact above = product(a, {b.re, Fraction() - b.im});
  return known({above.re / norm, above.im / norm});
}

bool is_finite(const Scalar& scalar) {
  if (!is_float(scalar.type) && !is_complex(scalar.type)) return false;
  return std::ranges::all_of(parts_of(scalar),
                             [](double x) { return std::isfinite(x); });
}

}  // namespace

std::optional<std::vector<RealValue>> complex_value(
    const Op& op, std::span<const Scalar> operands) {
  if (!std::ranges::all_of(operands, is_finite)) return std::nullopt;
  const ComplexBits x = in_doubles(operands[0]);
  if (op.name == "real" || op.name == "imag") {
    const Exact value = exact(operands[0]);
    return std::vector<RealValue>{
        RealValue::of(op.name == "real" ? value.re : value.im)};
  }
  if (op.name == "abs") return near({numeric::round_complex_abs(x, f64())});
  if (auto values = rational(op.name, operands)) return values;
  if (op.name == "power" || op.name == "atan2") {
    const auto function = op.name == "power" ? ComplexFunction2::kPower
                                             : ComplexFunction2::kAtan2;
    return near(
        numeric::round_complex2(function, x, in_doubles(operands[1]), f64()));
  }
  const auto* const row = std::ranges::find(kRows, op.name, &Row::name);
  if (row == kRows.end()) return std::nullopt;
  return near(numeric::round_complex(row->function, x, f64()));
}

}  // namespace hlo::conformance
