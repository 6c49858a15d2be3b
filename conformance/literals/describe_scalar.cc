#include "conformance/literals/describe_scalar.h"

#include <fmt/format.h>

#include "conformance/literals/literal_bits.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

std::string hex_float(uint64_t code, const FloatFormat& format) {
  return fmt::format("{:a}", numeric::decode(code, format));
}

}  // namespace

std::string describe(const Scalar& scalar) {
  std::string text = text::print(scalar);
  if (is_float(scalar.type)) {
    const FloatFormat& format = numeric::format(scalar.type);
    if (!numeric::is_nan(scalar.bits[0], format)) {
      text += " = " + hex_float(scalar.bits[0], format);
    }
  } else if (is_complex(scalar.type)) {
    const FloatFormat& format = numeric::format(component_type(scalar.type));
    text += fmt::format(" = ({}, {})", hex_float(scalar.bits[0], format),
                        hex_float(scalar.bits[1], format));
  }
  return text + " (bits " + print_bits(scalar) + ")";
}

}  // namespace hlo::conformance
