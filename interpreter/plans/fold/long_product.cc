#include "interpreter/plans/fold/long_product.h"

#include <gmp.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/format/rounding.h"

namespace hlo {
namespace {

__extension__ using Wide = unsigned __int128;

using numeric::FloatFormat;

/// digits 2^exponent, rounded once; at least 2^64 digits.
uint64_t round_wide(Wide digits, int64_t exponent, bool negative,
                    const FloatFormat& format) {
  const int up = std::countl_zero(static_cast<uint64_t>(digits >> 64));
  digits <<= up;
  const bool sticky = static_cast<uint64_t>(digits) != 0;
  const auto top = static_cast<uint64_t>(digits >> 64);
  return numeric::round_scaled({top, exponent + 64 - up, sticky, negative},
                               format)
      .bits;
}

/// An integer and a power of two.
class ExactProduct {
 public:
  explicit ExactProduct(std::span<const double> factors) {
    constexpr size_t kFew = 16;
    mpz_init_set_ui(digits_, 1);
    if (factors.size() <= kFew) {
      for (const double factor : factors) multiply(factor);
    } else {
      // Halves of about the same length are multiplied fast.
      const size_t half = factors.size() / 2;
      multiply(ExactProduct(factors.first(half)));
      multiply(ExactProduct(factors.subspan(half)));
    }
  }

  ~ExactProduct() { mpz_clear(digits_); }

  ExactProduct(const ExactProduct&) = delete;
  ExactProduct& operator=(const ExactProduct&) = delete;

  uint64_t round(const FloatFormat& format) const {
    const auto length = static_cast<int64_t>(mpz_sizeinbase(digits_, 2));
    const int64_t below = std::max<int64_t>(0, length - 64);
    mpz_t top;
    mpz_init(top);
    mpz_tdiv_q_2exp(top, digits_, static_cast<mp_bitcnt_t>(below));
    numeric::Scaled scaled{mpz_get_ui(top), exponent_ + below, false,
                           negative_};
    scaled.sticky =
        below > 0 && mpz_scan1(digits_, 0) < static_cast<mp_bitcnt_t>(below);
    mpz_clear(top);
    return numeric::round_scaled(scaled, format).bits;
  }

 private:
  void multiply(double x) {
    const numeric::Scaled parts = numeric::split(x);
    const int zeros = std::countr_zero(parts.significand);
    mpz_mul_ui(digits_, digits_, parts.significand >> zeros);
    exponent_ += parts.exponent + zeros;
    negative_ = negative_ != parts.negative;
  }

  void multiply(const ExactProduct& other) {
    mpz_mul(digits_, digits_, other.digits_);
    exponent_ += other.exponent_;
    negative_ = negative_ != other.negative_;
  }

  mpz_t digits_;
  int64_t exponent_ = 0;
  bool negative_ = false;
};

}  // namespace

void LongProduct::multiply(double factor) {
  int exponent = 0;
  factor = std::frexp(factor, &exponent);
  const double rough = value_.hi * factor;
  if (!(std::fabs(rough) > 0) || std::isinf(rough)) {
    value_ = Pair(rough);
    return;
  }
  if (value_.lo != 0 && std::fabs(factor) != 0.5) ++roundings_;
  value_ = value_ * factor;
  exponent_ += exponent;
  if (std::fabs(value_.hi) < 0x1p-300) scale_to_one();
}

void LongProduct::multiply(const LongProduct& factor) {
  if (!is_number() || !factor.is_number()) {
    value_ = Pair(value_.hi * factor.value_.hi);
    return;
  }
  LongProduct other = factor;
  scale_to_one();
  other.scale_to_one();
  const bool exact = (value_.lo == 0 && other.value_.lo == 0) ||
                     is_power_of_two() || other.is_power_of_two();
  roundings_ += other.roundings_ + (exact ? 0 : 2);
  value_ = value_ * other.value_;
  exponent_ += other.exponent_;
}

std::optional<uint64_t> LongProduct::round(const FloatFormat& format) const {
  // The sign of a NaN that a processor makes is its own choice.
  if (std::isnan(value_.hi)) {
    return numeric::encode(std::numeric_limits<double>::quiet_NaN(), format);
  }
  if (!is_number()) return numeric::encode(value_.hi, format);
  // In units of 2^-116: hi has 53 bits and lo is at most 2^-54.
  constexpr int kUnit = 116;
  LongProduct scaled = *this;
  scaled.scale_to_one();
  const bool negative = value_.hi < 0;
  const auto [hi, lo] = negative ? -scaled.value_ : scaled.value_;
  const double rest = std::ldexp(lo, kUnit);
  const double floor = std::floor(rest);
  const Wide digits = (static_cast<Wide>(std::ldexp(hi, 53)) << (kUnit - 53)) +
                      static_cast<Wide>(static_cast<int64_t>(floor));
  // 2^12 units are 4 * 2^-106.
  const bool exact = roundings_ == 0 && rest == floor;
  const Wide slack = exact ? 0 : (static_cast<Wide>(roundings_ + 1) << 12) + 1;
  const int64_t exponent = scaled.exponent_ - kUnit;
  const uint64_t low = round_wide(digits - slack, exponent, negative, format);
  const uint64_t high = round_wide(digits + slack, exponent, negative, format);
  if (low != high) return std::nullopt;
  return low;
}

bool LongProduct::is_number() const {
  return std::isfinite(value_.hi) && value_.hi != 0;
}

bool LongProduct::is_power_of_two() const {
  return std::fabs(value_.hi) == 0.5 && value_.lo == 0;
}

void LongProduct::scale_to_one() {
  int exponent = 0;
  const double hi = std::frexp(value_.hi, &exponent);
  value_ = Pair(hi, std::ldexp(value_.lo, -exponent));
  exponent_ += exponent;
}

uint64_t round_product(std::span<const double> factors,
                       const FloatFormat& format) {
  return ExactProduct(factors).round(format);
}

}  // namespace hlo
