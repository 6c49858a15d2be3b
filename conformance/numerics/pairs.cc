#include "conformance/numerics/pairs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

constexpr uint32_t kCodes = 65536;

/// A format of 16 bits.
struct Format {
  int exponent_bits;
  int mantissa_bits;
  double largest;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }

  /// The exponent of the smallest normal number.
  int least() const { return 1 - bias(); }

  double value(uint32_t code) const {
    const uint32_t field = code >> mantissa_bits & ((1U << exponent_bits) - 1);
    const uint32_t mantissa = code & ((1U << mantissa_bits) - 1);
    const double sign = (code & 0x8000) != 0 ? -1 : 1;
    if (field == (1U << exponent_bits) - 1) {
      return mantissa != 0 ? std::numeric_limits<double>::quiet_NaN()
                           : sign * std::numeric_limits<double>::infinity();
    }
    const uint32_t hidden = field == 0 ? 0 : 1U << mantissa_bits;
    const int exponent = std::max(static_cast<int>(field), 1) - bias();
    return sign * std::ldexp(mantissa + hidden, exponent - mantissa_bits);
  }

  /// The nearest value: adding and taking away 1.5 * 2^52 units rounds to a
  /// multiple of the unit, ties to even.
  double round(double x) const {
    constexpr int kBias = 1023;  // of double, whose products are normal
    constexpr uint64_t kHalf = uint64_t{1} << 51;
    if (!std::isfinite(x) || x == 0) return x;
    const auto field =
        static_cast<int>(std::bit_cast<uint64_t>(x) >> 52 & 0x7ff);
    const int exponent = std::max(field - kBias, least()) - mantissa_bits;
    const auto shift = std::bit_cast<double>(
        static_cast<uint64_t>(exponent + 52 + kBias) << 52 | kHalf);
    const double rounded = std::copysign((x + shift) - shift, x);
    return std::fabs(rounded) > largest
               ? std::copysign(std::numeric_limits<double>::infinity(), x)
               : rounded;
  }
};

Format format_of(ElementType type) {
  if (type == ElementType::kF16) return {5, 10, 0x1.ffcp15};
  if (type == ElementType::kBF16) return {8, 7, 0x1.fep127};
  throw std::invalid_argument("pairs are of f16 or bf16");
}

double apply(std::string_view operation, double a, double b) {
  if (operation == "add") return a + b;
  if (operation == "multiply") return a * b;
  if (operation == "divide") return a / b;
  throw std::invalid_argument("pairs are added, multiplied or divided");
}

bool is_same(double a, double b) {
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

Module program(std::string_view operation, ElementType type) {
  const std::string shape = std::string(name(type)) + "[65536]";
  Module module =
      text::parse("ENTRY main { a = " + shape + " parameter(0) b = " + shape +
                  " parameter(1) ROOT r = " + shape + " " +
                  std::string(operation) + "(a, b) }");
  verify(module);
  return module;
}

constexpr std::array<std::string_view, 2> kPaired = {"add", "multiply"};

}  // namespace

std::span<const std::string_view> paired_operations() { return kPaired; }

std::optional<std::pair<uint32_t, uint32_t>> first_wrong_pair(
    std::string_view operation, ElementType type, uint32_t first,
    uint32_t last) {
  const Format format = format_of(type);
  std::vector<double> values(kCodes);
  for (uint32_t code = 0; code < kCodes; ++code) {
    values[code] = format.value(code);
  }
  const Shape shape = Shape::array(type, {kCodes});
  Literal b = Literal::uninitialized(shape);
  const auto codes = b.mutable_data<uint16_t>();
  std::iota(codes.begin(), codes.end(), uint16_t{0});
  const Module module = program(operation, type);
  for (uint32_t a = first; a < last; ++a) {
    const Literal splat = Literal::splat(shape, {.type = type, .bits = {a, 0}});
    const Literal result = evaluate(module, {splat, b});
    const auto found = result.data<uint16_t>();
    for (uint32_t code = 0; code < kCodes; ++code) {
      const double wanted =
          format.round(apply(operation, values[a], values[code]));
      if (!is_same(values[found[code]], wanted)) return std::pair(a, code);
    }
  }
  return std::nullopt;
}

}  // namespace hlo::conformance
