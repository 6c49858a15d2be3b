#include "interpreter/numeric/exact/decimal.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>

#include "interpreter/numeric/exact/integer.h"
#include "interpreter/numeric/format/rounding.h"

namespace hlo::numeric {
namespace {

// No midpoint of two neighbouring doubles has more significant digits.
constexpr size_t kMaxDigits = 770;
constexpr int64_t kMaxExponent = 1'000'000'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// 0.d1d2d3... * 10^exponent, with a first digit that is not 0.
struct Decimal {
  bool negative = false;
  std::string digits;  // at most kMaxDigits + 1; empty: zero
  int64_t exponent = 0;
  bool inexact_digits = false;  // digits were dropped, the last one says so
};

void append_digit(Decimal& decimal, char digit) {
  if (decimal.digits.empty() && digit == '0') return;
  if (decimal.digits.size() < kMaxDigits) {
    decimal.digits.push_back(digit);
  } else if (digit != '0') {
    decimal.inexact_digits = true;
  }
}

// The digits before and after the point; how many characters they take.
size_t scan_digits(std::string_view text, Decimal& decimal) {
  size_t i = 0;
  bool any = false;
  bool fraction = false;
  for (; i < text.size(); ++i) {
    if (text[i] == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (!is_digit(text[i])) break;
    any = true;
    const bool leading = decimal.digits.empty() && text[i] == '0';
    if (!fraction && !leading) ++decimal.exponent;
    if (fraction && leading) --decimal.exponent;
    append_digit(decimal, text[i]);
  }
  return any ? i : 0;
}

// "e-12"; nothing where it is not an exponent. Huge ones saturate.
std::optional<int64_t> scan_exponent(std::string_view text) {
  if (text.empty()) return 0;
  if (text[0] != 'e' && text[0] != 'E') return std::nullopt;
  text.remove_prefix(1);
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  int64_t value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    value = std::min(value * 10 + (c - '0'), kMaxExponent);
  }
  return negative ? -value : value;
}

std::optional<Decimal> scan(std::string_view text) {
  Decimal decimal;
  decimal.negative = !text.empty() && text[0] == '-';
  if (decimal.negative || (!text.empty() && text[0] == '+')) {
    text.remove_prefix(1);
  }
  const size_t used = scan_digits(text, decimal);
  if (used == 0) return std::nullopt;
  const auto exponent = scan_exponent(text.substr(used));
  if (!exponent) return std::nullopt;
  decimal.exponent += *exponent;
  if (decimal.inexact_digits) {
    decimal.digits.push_back('1');
  } else {
    decimal.digits.resize(decimal.digits.find_last_not_of('0') + 1);
  }
  return decimal;
}

// numerator * 2^exponent / denominator with 64 leading bits of the quotient.
Scaled divide(mpz_ptr numerator, mpz_ptr denominator) {
  const auto length = [](mpz_srcptr x) {
    return static_cast<int64_t>(mpz_sizeinbase(x, 2));
  };
  const int64_t shift = length(denominator) - length(numerator) + 65;
  mpz_ptr larger = shift >= 0 ? numerator : denominator;
  mpz_mul_2exp(larger, larger, static_cast<mp_bitcnt_t>(std::abs(shift)));
  Integer quotient;
  Integer rest;
  mpz_tdiv_qr(quotient.get(), rest.get(), numerator, denominator);
  const int64_t extra = length(quotient.get()) - 64;  // 1 or 2
  bool sticky = mpz_sgn(rest.get()) != 0;
  sticky =
      sticky || mpz_scan1(quotient.get(), 0) < static_cast<mp_bitcnt_t>(extra);
  mpz_tdiv_q_2exp(quotient.get(), quotient.get(),
                  static_cast<mp_bitcnt_t>(extra));
  uint64_t significand = 0;
  mpz_export(&significand, nullptr, -1, sizeof significand, 0, 0,
             quotient.get());
  return {significand, extra - shift, sticky, false};
}

// The 64 leading bits, by integer arithmetic.
Scaled to_scaled(const Decimal& decimal) {
  // All formats end between 10^-400 and 10^400.
  if (decimal.exponent < -400) {
    return {uint64_t{1} << 63, -100'000, true, decimal.negative};
  }
  if (decimal.exponent > 400) {
    return {uint64_t{1} << 63, 100'000, true, decimal.negative};
  }
  Integer numerator;
  Integer denominator;
  mpz_set_str(numerator.get(), decimal.digits.c_str(), 10);
  const int64_t power =
      decimal.exponent - static_cast<int64_t>(decimal.digits.size());
  mpz_ui_pow_ui(denominator.get(), 10, static_cast<uint64_t>(std::abs(power)));
  if (power > 0) {
    mpz_mul(numerator.get(), numerator.get(), denominator.get());
    mpz_set_ui(denominator.get(), 1);
  }
  Scaled scaled = divide(numerator.get(), denominator.get());
  scaled.negative = decimal.negative;
  return scaled;
}

constexpr std::array<double, 23> kPowers = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// At most 15 digits times or over a power of ten that is a double: one IEEE
// operation, and the sign of its error by fma.
std::optional<Scaled> short_scaled(const Decimal& decimal) {
  const auto count = static_cast<int64_t>(decimal.digits.size());
  const int64_t power = decimal.exponent - count;
  if (count > 15 || std::abs(power) > 22) return std::nullopt;
  uint64_t integer = 0;
  for (const char c : decimal.digits) {
    integer = integer * 10 + static_cast<uint64_t>(c - '0');
  }
  const auto x = static_cast<double>(integer);
  const double y = kPowers[static_cast<size_t>(std::abs(power))];
  const double value = power < 0 ? x / y : x * y;
  const double error =
      power < 0 ? std::fma(-value, y, x) : std::fma(x, y, -value);
  Scaled scaled = split(value);
  // The error is below half a unit of 53 bits, and no format has more: only
  // its sign matters.
  scaled.significand = (scaled.significand << 10) - (error < 0 ? 1 : 0);
  scaled.exponent -= 10;
  scaled.sticky = error != 0;
  scaled.negative = decimal.negative;
  return scaled;
}

// Digits and exponent of d.ddd * 10^exponent.
struct Shortest {
  std::string digits;
  int exponent = 0;
};

Shortest split_scientific(std::string_view text) {
  const size_t e = text.find('e');
  Shortest shortest;
  for (const char c : text.substr(0, e)) {
    if (c != '.') shortest.digits.push_back(c);
  }
  const std::string_view exponent =
      text.substr(e + (text[e + 1] == '+' ? 2 : 1));
  std::from_chars(exponent.data(), exponent.data() + exponent.size(),
                  shortest.exponent);
  const size_t last = shortest.digits.find_last_not_of('0');
  shortest.digits.resize(std::max<size_t>(last + 1, 1));
  return shortest;
}

std::string scientific(const Shortest& shortest) {
  std::string text = shortest.digits.substr(0, 1);
  if (shortest.digits.size() > 1) {
    text += '.';
    text += shortest.digits.substr(1);
  }
  const int magnitude = std::abs(shortest.exponent);
  text += shortest.exponent < 0 ? "e-" : "e+";
  if (magnitude < 10) text += "0";
  return text + std::to_string(magnitude);
}

template <typename... Style>
std::string characters(Style... style) {
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), style...);
  return {buffer.data(), end.ptr};
}

// Whether the decimal reads back as `bits`, and not because a format without
// infinity takes everything beyond its largest number for that.
bool reads_back(const Shortest& candidate, uint64_t bits,
                const FloatFormat& format) {
  const std::string text = scientific(candidate);
  if (from_decimal(text, format) != bits) return false;
  if (format.specials != Specials::kFinite) return true;
  const FloatFormat& f64 = numeric::format(ElementType::kF64);
  return decode(*from_decimal(text, f64), f64) <=
         decode(format.max_finite(), format);
}

// The decimal one unit in its last place away.
Shortest neighbour(const Shortest& shortest, int64_t step) {
  int64_t integer = 0;
  std::from_chars(shortest.digits.data(),
                  shortest.digits.data() + shortest.digits.size(), integer);
  const std::string moved = std::to_string(integer + step);
  const int grown =
      static_cast<int>(moved.size()) - static_cast<int>(shortest.digits.size());
  return {moved, shortest.exponent + grown};
}

Shortest shortest_narrow(double value, uint64_t bits,
                         const FloatFormat& format) {
  for (int digits = 0; digits < 9; ++digits) {
    Shortest nearest = split_scientific(
        characters(value, std::chars_format::scientific, digits));
    nearest.digits.resize(static_cast<size_t>(digits) + 1, '0');
    // At a power of two the neighbour on the wider side may do.
    for (const int64_t step : {0, 1, -1}) {
      const Shortest candidate = neighbour(nearest, step);
      if (reads_back(candidate, bits, format)) {
        return split_scientific(scientific(candidate));
      }
    }
  }
  return split_scientific(characters(value, std::chars_format::scientific));
}

Shortest find_shortest(uint64_t bits, const FloatFormat& format) {
  const double value = std::abs(decode(bits, format));
  const std::chars_format style = std::chars_format::scientific;
  if (format.type == ElementType::kF64) {
    return split_scientific(characters(value, style));
  }
  // A format of powers of two needs few digits, and others round them to
  // another power: 6e-39 stood for 2^-127.
  if (format.type == ElementType::kF32 || format.specials == Specials::kE8M0) {
    return split_scientific(characters(static_cast<float>(value), style));
  }
  return shortest_narrow(value, bits & ~format.sign_mask(), format);
}

// Numbers below 10^this are written without an exponent, as %g would with
// enough digits for the format.
int fixed_digits(const FloatFormat& format) {
  return std::max(6, 2 + format.precision() * 30103 / 100000);
}

std::string layout(const Shortest& shortest, double value, int fixed) {
  const int count = static_cast<int>(shortest.digits.size());
  if (shortest.exponent < -4 || shortest.exponent >= fixed) {
    return scientific(shortest);
  }
  if (shortest.exponent < 0) {
    const auto zeros = static_cast<size_t>(-shortest.exponent - 1);
    return "0." + std::string(zeros, '0') + shortest.digits;
  }
  // An integer's digits cost nothing: 448 rather than 450.
  if (count <= shortest.exponent + 1) {
    return characters(value, std::chars_format::fixed, 0);
  }
  const size_t point = static_cast<size_t>(shortest.exponent) + 1;
  return shortest.digits.substr(0, point) + "." + shortest.digits.substr(point);
}

// Whether rounding `value`, the double nearest to a decimal, again to the
// format gives what rounding the decimal at once gives: true unless the double
// lies where the format's rounding changes, which takes few significant bits.
bool rounds_once(double value, const FloatFormat& format) {
  constexpr int kMantissaBits = 52;
  const auto bits = std::bit_cast<uint64_t>(value);
  const int zeros = std::countr_zero(bits | (uint64_t{1} << kMantissaBits));
  return kMantissaBits + 1 - zeros > format.precision() + 1;
}

// The code by way of a double, where that is as good.
std::optional<uint64_t> by_double(std::string_view text,
                                  const FloatFormat& format) {
  const size_t first = text.starts_with('-') ? 1 : 0;
  if (first >= text.size() || !is_digit(text[first])) return std::nullopt;
  double value = 0;
  const auto [stop, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_read =
      error == std::errc() && stop == text.data() + text.size();
  if (!is_read || !rounds_once(value, format)) return std::nullopt;
  return encode(value, format);
}

}  // namespace

std::optional<uint64_t> from_decimal(std::string_view text,
                                     const FloatFormat& format) {
  if (const auto code = by_double(text, format)) return code;
  const std::optional<Decimal> decimal = scan(text);
  if (!decimal) return std::nullopt;
  if (decimal->digits.empty()) return zero_code(decimal->negative, format);
  const std::optional<Scaled> scaled = short_scaled(*decimal);
  return round_scaled(scaled ? *scaled : to_scaled(*decimal), format).bits;
}

std::string to_decimal(uint64_t bits, const FloatFormat& format) {
  const double value = std::abs(decode(bits, format));
  if (value == 0) return sign_bit(bits, format) ? "-0.0" : "0";
  const std::string text =
      layout(find_shortest(bits, format), value, fixed_digits(format));
  return sign_bit(bits, format) ? "-" + text : text;
}

}  // namespace hlo::numeric
