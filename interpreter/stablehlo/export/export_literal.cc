#include "interpreter/stablehlo/export/export_literal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/stablehlo/export/export_text.h"

// Dense attributes. Decimals are those of the double that the element is: no
// reader, whatever it rounds through, can change them. Everything else is a
// pattern of bits.
namespace hlo::stablehlo {
namespace {

/// Above this many elements whole bytes are written in hexadecimal.
constexpr int64_t kLongest = 32;

std::string real_text(uint64_t bits, ElementType type) {
  const numeric::FloatFormat& format = numeric::format(type);
  const bool is_number =
      !numeric::is_nan(bits, format) && !numeric::is_infinity(bits, format);
  // Readers make no difference between the zeros of 0.0 in formats without -0.
  if (is_number) return decimal_text(numeric::decode(bits, format));
  return fmt::format("0x{:0{}X}", bits, hlo::bits(type) / 4);
}

std::string element_text(const Literal& literal, int64_t i) {
  const ElementType type = literal.type();
  const Scalar element = literal.at(i);
  switch (type_class(type)) {
    case TypeClass::kPred:
      return element.bits[0] != 0 ? "true" : "false";
    case TypeClass::kSigned:
      return std::to_string(literal.integer(i));
    case TypeClass::kUnsigned:
      return std::to_string(element.bits[0]);
    case TypeClass::kFloat:
      return real_text(element.bits[0], type);
    case TypeClass::kComplex: {
      const ElementType part = component_type(type);
      return "(" + real_text(element.bits[0], part) + ", " +
             real_text(element.bits[1], part) + ")";
    }
    case TypeClass::kNone:
      break;
  }
  return "";
}

bool is_splat(const Literal& literal) {
  const auto width = static_cast<size_t>(storage_bytes(literal.type()));
  const std::span<const std::byte> bytes = literal.bytes();
  if (bytes.size() < width) return false;
  return std::memcmp(bytes.data(), bytes.data() + width,
                     bytes.size() - width) == 0;
}

void append_nested(std::string& text, const Literal& literal, size_t d,
                   int64_t& next) {
  const Shape& shape = literal.shape();
  if (d == shape.dims.size()) {
    text += element_text(literal, next++);
    return;
  }
  text += '[';
  for (int64_t i = 0; i < shape.dims[d]; ++i) {
    if (i > 0) text += ", ";
    append_nested(text, literal, d + 1, next);
  }
  text += ']';
}

void append_blob(std::string& text, std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  text.reserve(text.size() + 2 * bytes.size() + 4);
  text += "\"0x";
  for (const std::byte byte : bytes) {
    text += kDigits[static_cast<size_t>(byte >> 4)];
    text += kDigits[static_cast<size_t>(byte & std::byte{15})];
  }
  text += '"';
}

/// Types of less than a byte, and i1, have changed their packing.
bool has_whole_bytes(ElementType type) {
  return bits(component_type(type)) >= 8;
}

}  // namespace

std::string decimal_text(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find('.') != std::string::npos) return text;
  const size_t exponent = text.find('e');
  if (exponent == std::string::npos) return text + ".0";
  return text.substr(0, exponent) + ".0" + text.substr(exponent);
}

std::string dense_text(const Literal& literal) {
  Shape shape = Shape::array(literal.type(), literal.shape().dims);
  std::string text = "dense<";
  if (literal.element_count() == 0) {
    // dense<> is any shape without elements.
  } else if (is_splat(literal)) {
    text += element_text(literal, 0);
  } else if (literal.element_count() > kLongest &&
             has_whole_bytes(literal.type())) {
    append_blob(text, literal.bytes());
  } else {
    int64_t next = 0;
    append_nested(text, literal, 0, next);
  }
  return text + "> : " + type_text(shape);
}

}  // namespace hlo::stablehlo
