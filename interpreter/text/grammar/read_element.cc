#include "interpreter/text/grammar/read_element.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "interpreter/numeric/exact/decimal.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/shortened.h"
#include "interpreter/text/scan/hlo_lexicon.h"

namespace hlo::text {
namespace {

using numeric::FloatFormat;

size_t digits_end(std::string_view text, size_t from) {
  while (from < text.size() && is_digit(text[from])) ++from;
  return from;
}

/// The end of the exponent at `from`; `from` itself where none starts there.
size_t exponent_end(std::string_view text, size_t from) {
  if (from >= text.size() || (text[from] != 'e' && text[from] != 'E')) {
    return from;
  }
  const bool is_signed = from + 1 < text.size() &&
                         (text[from + 1] == '+' || text[from + 1] == '-');
  const size_t first = from + (is_signed ? 2 : 1);
  const size_t end = digits_end(text, first);
  return end == first ? from : end;
}

/// The characters of a number at this place, checked to be one.
std::string_view number_text(const Scanner& in) {
  const std::string_view rest = in.rest();
  const size_t first = rest.starts_with('-') ? 1 : 0;
  size_t end = digits_end(rest, first);
  size_t digits = end - first;
  if (end < rest.size() && rest[end] == '.') {
    const size_t fraction = end + 1;
    end = digits_end(rest, fraction);
    digits += end - fraction;
  }
  if (digits > 0) end = exponent_end(rest, end);
  if (digits == 0 || (end < rest.size() && is_name_character(rest[end]))) {
    in.expected("a number", "text.number");
  }
  return rest.substr(0, end);
}

[[noreturn]] void fail_range(const Scanner& in, std::string_view text,
                             ElementType type) {
  in.fail("text.range",
          shortened(text) + " is out of range for " + std::string(name(type)));
}

template <typename T>
void store_bits(uint64_t bits, std::byte* target) {
  const T stored = static_cast<T>(bits);
  std::memcpy(target, &stored, sizeof(T));
}

void store(uint64_t bits, ElementType type, std::byte* target) {
  switch (storage_bytes(type)) {
    case 1:
      return store_bits<uint8_t>(bits, target);
    case 2:
      return store_bits<uint16_t>(bits, target);
    case 4:
      return store_bits<uint32_t>(bits, target);
    default:
      return store_bits<uint64_t>(bits, target);
  }
}

void read_pred(Scanner& in, std::byte* target) {
  bool value = in.eat_word("true");
  if (!value && !in.eat_word("false")) {
    const std::string_view text = number_text(in);
    if (text != "0" && text != "1" && text != "-0") {
      in.fail("text.range",
              shortened(text) + " is not a pred: 0, 1, true or false");
    }
    value = text == "1";
    in.advance(text.size());
  }
  *target = std::byte{value};
}

void read_signed(Scanner& in, ElementType type, std::byte* target);

/// An integer of T within [low, high].
template <typename T>
void read_integer(Scanner& in, ElementType type, T low, T high,
                  std::byte* target) {
  const std::string_view rest = in.rest();
  const char* const end = rest.data() + rest.size();
  T value{};
  const bool minus_zero = std::is_unsigned_v<T> && rest.starts_with("-0");
  const char* const begin = rest.data() + (minus_zero ? 1 : 0);
  const auto [stop, error] = std::from_chars(begin, end, value);
  const bool whole = stop == end || (!is_name_character(*stop));
  if (error == std::errc() && whole && value >= low &&
      value <= (minus_zero ? T{0} : high)) {
    store(static_cast<uint64_t>(value), type, target);
    in.advance(static_cast<size_t>(stop - rest.data()));
    return;
  }
  if (type == ElementType::kU64 && rest.starts_with('-')) {
    // XLA reads 64-bit numbers as two's complement.
    return read_signed(in, ElementType::kS64, target);
  }
  const std::string_view text = number_text(in);
  if (text.find_first_of(".eE") != std::string_view::npos) {
    in.expected("an integer", "text.number");
  }
  fail_range(in, text, type);
}

void read_signed(Scanner& in, ElementType type, std::byte* target) {
  const int64_t high = std::numeric_limits<int64_t>::max() >> (64 - bits(type));
  read_integer<int64_t>(in, type, -high - 1, high, target);
}

void read_unsigned(Scanner& in, ElementType type, std::byte* target) {
  const uint64_t high =
      std::numeric_limits<uint64_t>::max() >> (64 - bits(type));
  read_integer<uint64_t>(in, type, 0, high, target);
}

/// nan, nan(0x7), inf behind an optional sign.
uint64_t read_nan_payload(Scanner& in, const FloatFormat& format) {
  const size_t start = in.position();
  const std::string_view digits =
      in.eat('(') && in.eat("0x") ? in.run("0123456789abcdefABCDEF") : "";
  if (digits.empty()) {
    in.fail_at(start, "text.number", "expected the payload (0x...) of a NaN");
  }
  uint64_t payload = 0;
  const auto [stop, error] = std::from_chars(
      digits.data(), digits.data() + digits.size(), payload, 16);
  const uint64_t mask = (uint64_t{1} << format.mantissa_bits) - 1;
  const bool has_payloads = format.specials == numeric::Specials::kIeee;
  if (error != std::errc() || payload == 0 || payload > mask || !has_payloads) {
    in.fail_at(start, "text.range",
               "the NaN payload 0x" + shortened(digits) +
                   " is out of range for " + std::string(name(format.type)) +
                   (has_payloads ? "" : ", whose NaN has none"));
  }
  in.expect(')', "behind the payload of a NaN");
  return payload;
}

/// Infinity or NaN as encode() gives them to the format; true if there is one.
bool read_special(Scanner& in, const FloatFormat& format, uint64_t& code) {
  const bool negative = in.peek() == '-';
  const size_t start = in.position();
  if (negative) in.advance(1);
  if (in.eat_word("inf")) {
    const double infinity = std::numeric_limits<double>::infinity();
    code = numeric::encode(negative ? -infinity : infinity, format);
    return true;
  }
  if (!in.eat_word("nan")) {
    in.seek(start);
    return false;
  }
  const double nan = std::copysign(std::numeric_limits<double>::quiet_NaN(),
                                   negative ? -1.0 : 1.0);
  code = format.has_nan() ? format.quiet_nan() : numeric::encode(nan, format);
  if (in.peek() == '(') {
    const uint64_t payload = read_nan_payload(in, format);
    code = format.infinity() | payload;
  }
  if (negative && format.has_nan() && format.has_negative_zero()) {
    code ^= format.sign_mask();
  }
  return true;
}

void read_float(Scanner& in, ElementType type, std::byte* target) {
  const FloatFormat& format = numeric::format(type);
  uint64_t code = 0;
  if (!read_special(in, format, code)) {
    const std::string_view text = number_text(in);
    const auto decimal = numeric::from_decimal(text, format);
    if (!decimal) in.expected("a number", "text.number");
    code = *decimal;
    if (numeric::is_nan(code, format) || numeric::is_infinity(code, format)) {
      fail_range(in, text, type);
    }
    in.advance(text.size());
  }
  store(code, type, target);
}

/// f32 and f64: from_chars rounds correctly to that very type.
template <typename T>
void read_host_float(Scanner& in, ElementType type, std::byte* target) {
  const std::string_view rest = in.rest();
  const char* const end = rest.data() + rest.size();
  T value{};
  const auto [stop, error] = std::from_chars(rest.data(), end, value);
  const bool finite = error == std::errc() && std::isfinite(value);
  if (finite && (stop == end || !is_name_character(*stop))) {
    std::memcpy(target, &value, sizeof(T));
    in.advance(static_cast<size_t>(stop - rest.data()));
    return;
  }
  read_float(in, type, target);
}

void read_complex(Scanner& in, ElementType type, std::byte* target) {
  const ElementType part = component_type(type);
  in.expect('(', "before a complex number");
  read_element(in, part, target);
  in.expect(',', "between the parts of a complex number");
  read_element(in, part, target + storage_bytes(part));
  in.expect(')', "behind a complex number");
}

}  // namespace

void read_element(Scanner& in, ElementType type, std::byte* target) {
  switch (type_class(type)) {
    case TypeClass::kPred:
      return read_pred(in, target);
    case TypeClass::kSigned:
      return read_signed(in, type, target);
    case TypeClass::kUnsigned:
      return read_unsigned(in, type, target);
    case TypeClass::kComplex:
      return read_complex(in, type, target);
    case TypeClass::kNone:
      in.fail("text.type", "a value of this type cannot be written");
    case TypeClass::kFloat:
      break;
  }
  if (type == ElementType::kF32) {
    return read_host_float<float>(in, type, target);
  }
  if (type == ElementType::kF64) {
    return read_host_float<double>(in, type, target);
  }
  read_float(in, type, target);
}

}  // namespace hlo::text
