#include "interpreter/stablehlo/read/attributes/element_reader.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "interpreter/numeric/exact/decimal.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/shortened.h"

namespace hlo::stablehlo {
namespace {

using numeric::FloatFormat;

size_t digits_end(std::string_view text, size_t from) {
  while (from < text.size() && is_digit(text[from])) ++from;
  return from;
}

/// The end of 0x and hexadecimal digits at `from`; `from` where there are none.
size_t hexadecimal_end(std::string_view text, size_t from) {
  size_t end = from + 2;
  if (text.substr(from, 2) != "0x") return from;
  while (end < text.size() && hex_digit(text[end]) >= 0) ++end;
  return end == from + 2 ? from : end;
}

/// The end of the exponent at `from`, `from` where there is none, and 0 where
/// it has no digits.
size_t exponent_end(std::string_view text, size_t from) {
  if (from >= text.size() || (text[from] != 'e' && text[from] != 'E')) {
    return from;
  }
  const size_t sign = from + 1;
  const bool is_signed =
      sign < text.size() && (text[sign] == '+' || text[sign] == '-');
  const size_t first = sign + (is_signed ? 1 : 0);
  const size_t end = digits_end(text, first);
  return end == first ? 0 : end;
}

/// The characters of a number at this place: sign, digits, point, exponent, or
/// 0x and hexadecimal digits.
std::string_view number_text(const Scanner& in) {
  const std::string_view rest = in.rest();
  const size_t first = rest.starts_with('-') ? 1 : 0;
  size_t end = hexadecimal_end(rest, first);
  if (end > first) return rest.substr(0, end);
  end = digits_end(rest, first);
  if (end > first && end < rest.size() && rest[end] == '.') {
    end = exponent_end(rest, digits_end(rest, end + 1));
  }
  if (end <= first) in.expected("a number", "stablehlo.number");
  return rest.substr(0, end);
}

[[noreturn]] void fail_range(const Scanner& in, std::string_view text,
                             ElementType type) {
  constexpr size_t kMaxLength = 40;
  in.fail("stablehlo.range", shortened(text, kMaxLength) +
                                 " is out of range for " +
                                 std::string(name(type)));
}

bool is_hexadecimal(std::string_view text) {
  return text.find('x') != std::string_view::npos;
}

void store(uint64_t code, ElementType type, std::byte* target) {
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(target, &code, static_cast<size_t>(storage_bytes(type)));
}

/// The absolute value of an integer; nothing beyond 64 bits.
std::optional<uint64_t> magnitude(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const int base = is_hexadecimal(text) ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  uint64_t value = 0;
  const auto [stop, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc()) return std::nullopt;
  return value;
}

/// A signed type takes positive numbers up to those of the unsigned type too:
/// the types of StableHLO are signless.
void read_integer(Scanner& in, ElementType type, std::byte* target) {
  const std::string_view text = number_text(in);
  if (text.find('.') != std::string_view::npos) {
    in.expected("an integer", "stablehlo.number");
  }
  const auto size = magnitude(text);
  const bool is_negative = text.starts_with('-');
  const uint64_t high =
      std::numeric_limits<uint64_t>::max() >> (64 - bits(type));
  const uint64_t low = is_signed(type) ? high / 2 + 1 : 0;
  if (!size || *size > (is_negative ? low : high)) fail_range(in, text, type);
  uint64_t code = is_negative ? 0 - *size : *size;
  if (is_signed(type)) {
    const int unused = 64 - bits(type);
    code =
        static_cast<uint64_t>(static_cast<int64_t>(code << unused) >> unused);
  }
  store(code, type, target);
  in.advance(text.size());
}

void read_pred(Scanner& in, std::byte* target) {
  bool value = in.eat_word("true");
  if (!value && !in.eat_word("false")) {
    const std::string_view text = number_text(in);
    if (text != "0" && text != "1" && text != "-1") {
      in.expected("true or false", "stablehlo.number");
    }
    value = text != "0";
    in.advance(text.size());
  }
  *target = std::byte{value};
}

/// 0x7FC0: the bits themselves.
uint64_t bit_pattern(Scanner& in, std::string_view text, ElementType type) {
  const auto code = magnitude(text);
  const int width = bits(type);
  const bool is_wide = !code || (width < 64 && *code >> width != 0);
  if (is_wide || text.starts_with('-')) fail_range(in, text, type);
  return *code;
}

/// Whether the decimal is within half the least value of f8e8m0fnu, 2^-127.
bool is_tiny(std::string_view text) {
  constexpr int kLeastExponent = -127;
  return std::abs(std::bit_cast<double>(*numeric::from_decimal(
             text, numeric::format(ElementType::kF64)))) <
         std::ldexp(1.0, kLeastExponent);
}

void read_float(Scanner& in, ElementType type, std::byte* target) {
  const std::string_view text = number_text(in);
  const FloatFormat& format = numeric::format(type);
  uint64_t code = 0;
  if (is_hexadecimal(text)) {
    code = bit_pattern(in, text, type);
  } else if (text.find('.') == std::string_view::npos) {
    in.expected("a number with a point or a bit pattern 0x...",
                "stablehlo.number");
  } else {
    code = numeric::from_decimal(text, format).value();
    // Without a zero the least value is the nearest to numbers below it.
    const bool is_below = type == ElementType::kF8E8M0FNU && is_tiny(text);
    if (is_below) code = 0;
  }
  store(code, type, target);
  in.advance(text.size());
}

/// f32 and f64: from_chars rounds correctly to that very type.
template <typename T>
bool read_host_float(Scanner& in, std::byte* target) {
  const std::string_view rest = in.rest();
  const char* const end = rest.data() + rest.size();
  T value{};
  const auto [stop, error] = std::from_chars(rest.data(), end, value);
  const std::string_view text(rest.data(),
                              static_cast<size_t>(stop - rest.data()));
  const bool is_plain = error == std::errc() && std::isfinite(value) &&
                        text.find('.') != std::string_view::npos &&
                        is_digit(text[text[0] == '-' ? 1 : 0]);
  if (!is_plain || (stop != end && is_name_character(*stop))) return false;
  std::memcpy(target, &value, sizeof(T));
  in.advance(text.size());
  return true;
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
    case TypeClass::kUnsigned:
      return read_integer(in, type, target);
    case TypeClass::kComplex:
      return read_complex(in, type, target);
    case TypeClass::kFloat:
    case TypeClass::kNone:
      break;
  }
  if (type == ElementType::kF32 && read_host_float<float>(in, target)) return;
  if (type == ElementType::kF64 && read_host_float<double>(in, target)) return;
  read_float(in, type, target);
}

}  // namespace hlo::stablehlo
