#include "interpreter/text/print_literal.h"

#include <charconv>
#include <cmath>
#include <cstring>

#include "interpreter/numeric/exact/decimal.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::text {
namespace {

using numeric::FloatFormat;

template <typename T>
void append_number(std::string& text, T value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + 32, value);
  text.append(buffer, end);
}

void append_nan(std::string& text, uint64_t bits, const FloatFormat& format) {
  const bool has_sign = format.has_negative_zero();
  if (has_sign && numeric::sign_bit(bits, format)) text += '-';
  text += "nan";
  if (format.specials != numeric::Specials::kIeee) return;
  const uint64_t mask = (uint64_t{1} << format.mantissa_bits) - 1;
  if ((bits & mask) == (format.quiet_nan() & mask)) return;
  char buffer[20];
  const auto [end, error] = std::to_chars(buffer, buffer + 20, bits & mask, 16);
  text.append("(0x").append(buffer, end).append(")");
}

void append_special(std::string& text, uint64_t bits,
                    const FloatFormat& format) {
  if (numeric::is_nan(bits, format)) return append_nan(text, bits, format);
  text += numeric::sign_bit(bits, format) ? "-inf" : "inf";
}

bool is_special(uint64_t bits, const FloatFormat& format) {
  return numeric::is_nan(bits, format) || numeric::is_infinity(bits, format);
}

void append_float(std::string& text, uint64_t bits, const FloatFormat& format) {
  if (is_special(bits, format)) return append_special(text, bits, format);
  text += numeric::to_decimal(bits, format);
}

/// f32 and f64: to_chars gives the shortest decimal that reads back.
template <typename T>
void append_host_float(std::string& text, const std::byte* source,
                       const FloatFormat& format) {
  T value{};
  std::memcpy(&value, source, sizeof(T));
  if (std::isfinite(value)) {
    append_number(text, value);
    if (value == 0 && std::signbit(value)) text += ".0";
    return;
  }
  uint64_t bits = 0;
  std::memcpy(&bits, source, sizeof(T));
  append_special(text, bits, format);
}

uint64_t load(const std::byte* source, ElementType type) {
  uint64_t bits = 0;
  std::memcpy(&bits, source, static_cast<size_t>(storage_bytes(type)));
  return bits;
}

int64_t load_signed(const std::byte* source, ElementType type) {
  const int shift = 64 - 8 * storage_bytes(type);
  return static_cast<int64_t>(load(source, type) << shift) >> shift;
}

void append_real(std::string& text, const std::byte* source, ElementType type) {
  const FloatFormat& format = numeric::format(type);
  if (type == ElementType::kF32) {
    return append_host_float<float>(text, source, format);
  }
  if (type == ElementType::kF64) {
    return append_host_float<double>(text, source, format);
  }
  append_float(text, load(source, type), format);
}

void append_element(std::string& text, const std::byte* source,
                    ElementType type) {
  switch (type_class(type)) {
    case TypeClass::kPred:
      text += *source == std::byte{0} ? '0' : '1';
      return;
    case TypeClass::kSigned:
      return append_number(text, load_signed(source, type));
    case TypeClass::kUnsigned:
      return append_number(text, load(source, type));
    case TypeClass::kFloat:
      return append_real(text, source, type);
    case TypeClass::kComplex: {
      const ElementType part = component_type(type);
      text += '(';
      append_real(text, source, part);
      text += ", ";
      append_real(text, source + storage_bytes(part), part);
      text += ')';
      return;
    }
    case TypeClass::kNone:
      return;
  }
}

/// Walks an array and writes its braces and elements.
struct ArrayPrinter {
  std::string& text;
  const Literal& literal;
  const std::vector<int64_t>& sizes;
  std::vector<int64_t> strides;
  int width;

  void print(size_t d, int64_t offset) {
    if (d == sizes.size()) {
      append_element(text, literal.bytes().data() + offset * width,
                     literal.type());
      return;
    }
    const bool is_tight = sizes.size() == 1 || sizes[d] == 0;
    text += is_tight ? "{" : "{ ";
    for (int64_t i = 0; i < sizes[d]; ++i) {
      if (i > 0) text += ", ";
      print(d + 1, offset + i * strides[d]);
    }
    text += is_tight ? "}" : " }";
  }
};

/// Whether an array without elements is written with the braces of the
/// dimensions in front of the first that is 0, as XLA reads it.
bool has_few_braces(const std::vector<int64_t>& sizes) {
  constexpr int64_t kMost = 4096;
  int64_t braces = 1;
  for (const int64_t size : sizes) {
    if (size == 0) break;
    if (size > kMost / braces) return false;
    braces *= size;
  }
  return true;
}

void append_array(std::string& text, const Literal& literal) {
  const bool is_partial = !literal.dynamic_sizes().empty();
  const auto& sizes =
      is_partial ? literal.dynamic_sizes() : literal.shape().dims;
  if (is_partial) {
    text += '(';
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (d > 0) text += ',';
      append_integer(text, sizes[d]);
    }
    text += ") ";
  }
  if (literal.type() == ElementType::kPred && sizes.empty()) {
    text += literal.bytes()[0] == std::byte{0} ? "false" : "true";
    return;
  }
  if (literal.element_count() == 0 && !has_few_braces(sizes)) {
    text += "{}";
    return;
  }
  ArrayPrinter{text, literal, sizes, row_major_strides(literal.shape().dims),
               storage_bytes(literal.type())}
      .print(0, 0);
}

}  // namespace

void append_integer(std::string& text, int64_t value) {
  append_number(text, value);
}

void append(std::string& text, const Literal& literal) {
  if (literal.shape().is_array()) return append_array(text, literal);
  text += '(';
  bool is_first = true;
  for (const Literal& element : literal.elements()) {
    if (!is_first) text += ", ";
    is_first = false;
    append(text, element);
  }
  text += ')';
}

std::string print(const Literal& literal) {
  std::string text;
  append(text, literal);
  return text;
}

std::string print(const Scalar& scalar) { return print(Literal::of(scalar)); }

}  // namespace hlo::text
