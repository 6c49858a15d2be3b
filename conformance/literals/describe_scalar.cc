#include "conformance/literals/describe_scalar.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "conformance/literals/literal_bits.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

std::string hex_code(uint64_t code, const FloatFormat& format) {
  return hex_float(numeric::decode(code, format));
}

}  // namespace

std::string hex_float(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  std::array<char, 32> digits{};
  const auto written = std::to_chars(digits.begin(), digits.end(),
                                     std::fabs(value), std::chars_format::hex);
  return (std::signbit(value) ? "-0x" : "0x") +
         std::string(digits.begin(), written.ptr);
}

std::string describe(const Scalar& scalar) {
  std::string text = text::print(scalar);
  std::string hex = text;
  if (is_float(scalar.type)) {
    const FloatFormat& format = numeric::format(scalar.type);
    if (!numeric::is_nan(scalar.bits[0], format)) {
      hex = hex_code(scalar.bits[0], format);
    }
  } else if (is_complex(scalar.type)) {
    const FloatFormat& format = numeric::format(component_type(scalar.type));
    hex = fmt::format("({}, {})", hex_code(scalar.bits[0], format),
                      hex_code(scalar.bits[1], format));
  }
  if (hex != text) text += " = " + hex;  // infinities are the same in both
  return text + " (bits " + print_bits(scalar) + ")";
}

std::string index_text(int64_t i, const Literal& array) {
  return fmt::format("{{{}}}",
                     fmt::join(delinearize(i, array.shape().dims), ","));
}

}  // namespace hlo::conformance
