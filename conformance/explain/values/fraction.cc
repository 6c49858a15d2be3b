#include "conformance/explain/values/fraction.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "interpreter/numeric/exact/integer.h"
#include "interpreter/numeric/format/rounding.h"

namespace hlo::conformance {
namespace {

using numeric::Integer;

constexpr int kDigits = 40;       // that a whole decimal may have
constexpr int kFirstDigits = 25;  // of one that is cut off
constexpr int kLongest = 40;      // characters of a quotient

std::string digits_of(mpz_srcptr value) {
  struct Free {
    void operator()(char* text) const {
      void (*release)(void*, size_t) = nullptr;
      mp_get_memory_functions(nullptr, nullptr, &release);
      release(text, std::char_traits<char>::length(text) + 1);
    }
  };

  const std::unique_ptr<char, Free> text(mpz_get_str(nullptr, 10, value));
  return text.get();
}

/// d.ddd * 10^exponent, cut off.
struct Decimal {
  bool negative = false;
  std::string digits;  // without zeros at the end
  int64_t exponent = 0;
  bool whole = true;  // nothing was cut off
};

/// floor(|value| * 10^shift), and whether that is all.
std::string scaled(const Fraction& value, int64_t shift, bool& whole) {
  Integer numerator;
  Integer denominator;
  Integer rest;
  mpz_abs(numerator.get(), mpq_numref(value.get()));
  mpz_set(denominator.get(), mpq_denref(value.get()));
  Integer power;
  mpz_ui_pow_ui(power.get(), 10, static_cast<unsigned long>(std::abs(shift)));
  Integer& target = shift > 0 ? numerator : denominator;
  mpz_mul(target.get(), target.get(), power.get());
  mpz_tdiv_qr(numerator.get(), rest.get(), numerator.get(), denominator.get());
  whole = mpz_sgn(rest.get()) == 0;
  return digits_of(numerator.get());
}

Decimal decimal(const Fraction& value, int digits) {
  if (value.sign() == 0) return {false, "0", 0, true};
  // log10 of a number of b bits is about 0.30103 b.
  constexpr double kLog = 0.30102999566398120;
  const auto bits =
      static_cast<double>(mpz_sizeinbase(mpq_numref(value.get()), 2)) -
      static_cast<double>(mpz_sizeinbase(mpq_denref(value.get()), 2));
  auto exponent = static_cast<int64_t>(std::floor(bits * kLog)) - 1;
  Decimal result;
  result.negative = value.sign() < 0;
  while (true) {
    std::string text = scaled(value, digits - 1 - exponent, result.whole);
    if (std::ssize(text) > digits) {
      ++exponent;
      continue;
    }
    const size_t last = text.find_last_not_of('0');
    result.digits = text.substr(0, last + 1);
    result.exponent = exponent;
    return result;
  }
}

std::string written(const Decimal& number) {
  constexpr int64_t kLeast = -7;
  constexpr int64_t kMost = 25;
  std::string digits = number.digits;
  const int64_t e = number.exponent;
  std::string text;
  const std::string cut = number.whole ? "" : "...";
  if (e < kLeast || e > kMost) {
    text = digits.substr(0, 1);
    if (digits.size() > 1) text += "." + digits.substr(1);
    text += cut + "e" + std::to_string(e);
  } else if (e < 0) {
    text = "0." + std::string(static_cast<size_t>(-e - 1), '0') + digits + cut;
  } else {
    const auto before = static_cast<size_t>(e) + 1;
    if (digits.size() < before) digits.resize(before, '0');
    text = digits.substr(0, before);
    if (digits.size() > before) text += "." + digits.substr(before);
    if (!number.whole && digits.size() <= before) text += ".";
    text += cut;
  }
  return (number.negative ? "-" : "") + text;
}

/// "12345 * 2^-149", for denominators that are powers of two; "" for others.
std::string multiple_of_power(const Fraction& value) {
  mpz_srcptr denominator = mpq_denref(value.get());
  if (mpz_popcount(denominator) != 1) return "";
  const auto down = static_cast<int64_t>(mpz_scan1(denominator, 0));
  const auto up = static_cast<int64_t>(mpz_scan1(mpq_numref(value.get()), 0));
  Integer odd;
  mpz_tdiv_q_2exp(odd.get(), mpq_numref(value.get()),
                  static_cast<mp_bitcnt_t>(up));
  return digits_of(odd.get()) + " * 2^" + std::to_string(up - down);
}

}  // namespace

Fraction::Fraction(double value) : Fraction() { mpq_set_d(value_, value); }

Fraction Fraction::of(int64_t value) {
  Fraction result;
  mpq_set_si(result.value_, value, 1);
  return result;
}

Fraction Fraction::of(uint64_t value) {
  Fraction result;
  mpq_set_ui(result.value_, value, 1);
  return result;
}

Fraction Fraction::power_of_two(int64_t exponent) {
  Fraction result = of(int64_t{1});
  const auto count = static_cast<mp_bitcnt_t>(std::abs(exponent));
  if (exponent < 0) {
    mpq_div_2exp(result.value_, result.value_, count);
  } else {
    mpq_mul_2exp(result.value_, result.value_, count);
  }
  return result;
}

Fraction Fraction::truncated() const {
  Fraction result;
  mpz_tdiv_q(mpq_numref(result.value_), mpq_numref(value_), mpq_denref(value_));
  return result;
}

Fraction operator+(const Fraction& a, const Fraction& b) {
  Fraction result;
  mpq_add(result.value_, a.value_, b.value_);
  return result;
}

Fraction operator-(const Fraction& a, const Fraction& b) {
  Fraction result;
  mpq_sub(result.value_, a.value_, b.value_);
  return result;
}

Fraction operator*(const Fraction& a, const Fraction& b) {
  Fraction result;
  mpq_mul(result.value_, a.value_, b.value_);
  return result;
}

Fraction operator/(const Fraction& a, const Fraction& b) {
  Fraction result;
  mpq_div(result.value_, a.value_, b.value_);
  return result;
}

numeric::Rounded Fraction::round(const numeric::FloatFormat& format) const {
  constexpr int64_t kBits = 64;
  if (sign() == 0) return {numeric::zero_code(false, format), 0};
  const auto bits = [](mpz_srcptr n) {
    return static_cast<int64_t>(mpz_sizeinbase(n, 2));
  };
  // |numerator| * 2^shift / denominator has 63 or 64 bits before its point.
  const int64_t shift =
      kBits - 1 - (bits(mpq_numref(value_)) - bits(mpq_denref(value_)));
  const Fraction scaled = *this * power_of_two(shift);
  const Fraction whole = scaled.truncated();
  uint64_t significand = 0;
  mpz_export(&significand, nullptr, -1, sizeof significand, 0, 0,
             mpq_numref(whole.value_));
  return numeric::round_scaled({.significand = significand,
                                .exponent = -shift,
                                .sticky = !(whole == scaled),
                                .negative = sign() < 0},
                               format);
}

std::string to_decimal(const Fraction& value, int digits) {
  return written(decimal(value, digits));
}

std::string to_text(const Fraction& value) {
  const Decimal all = decimal(value, kDigits);
  if (all.whole) return written(all);
  std::string exact = multiple_of_power(value);
  if (exact.empty()) {
    exact = digits_of(mpq_numref(value.get())) + "/" +
            digits_of(mpq_denref(value.get()));
  }
  const std::string first = to_decimal(value, kFirstDigits);
  return exact.size() > size_t{kLongest} ? first : exact + " = " + first;
}

std::string shared_digits(const Fraction& low, const Fraction& high) {
  constexpr int kMost = 30;
  for (int digits = kMost; digits > 0; --digits) {
    Decimal a = decimal(low, digits);
    const Decimal b = decimal(high, digits);
    if (a.exponent != b.exponent || a.digits != b.digits ||
        a.negative != b.negative) {
      continue;
    }
    // Zeros at the end are digits too.
    a.digits.resize(static_cast<size_t>(digits), '0');
    a.whole = false;
    return written(a);
  }
  return "between " + to_decimal(low, kFirstDigits) + " and " +
         to_decimal(high, kFirstDigits);
}

}  // namespace hlo::conformance
