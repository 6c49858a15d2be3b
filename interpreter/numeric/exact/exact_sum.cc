#include "interpreter/numeric/exact/exact_sum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "interpreter/numeric/format/rounding.h"

namespace hlo::numeric {
namespace {

constexpr int kMantissa = 52;
constexpr int kDigitBits = 32;
constexpr int64_t kDigitMask = 0xffffffff;
constexpr int64_t kFewTerms = 16;
constexpr uint64_t kSign = uint64_t{1} << 63;
constexpr uint64_t kHidden = uint64_t{1} << kMantissa;
constexpr uint64_t kInfinity = uint64_t{0x7ff} << kMantissa;
constexpr uint64_t kLowHalf = (uint64_t{1} << 27) - 1;
constexpr int64_t kMaxPending = int64_t{1} << 30;

uint64_t field(uint64_t bits) { return bits >> kMantissa & 0x7ff; }

// Digits of 32 bits, least first, of a number with a sign of its own.
using Number = std::array<int64_t, 140>;

// Carries between digits; the result's digits are 0 to 2^32-1 but for the last
// one, which has the number's sign.
void normalize(Number& number, int first, int last) {
  for (int d = first; d < last; ++d) {
    const auto i = static_cast<size_t>(d);
    const int64_t carry = number[i] >> kDigitBits;
    number[i] &= kDigitMask;
    number[i + 1] += carry;
  }
}

void negate(Number& number, int first, int last) {
  for (int d = first; d <= last; ++d) {
    const auto i = static_cast<size_t>(d);
    number[i] = -number[i];
  }
  normalize(number, first, last);
}

// The 64 leading bits of a non-negative number of normal digits.
Scaled leading_bits(const Number& number, int first, int last, int lowest) {
  int top = last;
  while (top >= first && number[static_cast<size_t>(top)] == 0) --top;
  if (top < first) return {};
  const auto digit = [&](int d) {
    return d < first ? 0
                     : static_cast<uint64_t>(number[static_cast<size_t>(d)]);
  };
  const uint64_t high = digit(top) << kDigitBits | digit(top - 1);
  const int up = std::countl_zero(high);
  const uint64_t next = digit(top - 2) << kDigitBits | digit(top - 3);
  Scaled scaled{high, lowest + (top - 1) * kDigitBits - up, false, false};
  if (up > 0) scaled.significand = high << up | next >> (64 - up);
  scaled.sticky = next << up != 0;
  for (int d = first; d < top - 3 && !scaled.sticky; ++d) {
    scaled.sticky = digit(d) != 0;
  }
  return scaled;
}

double upward(const Scaled& scaled) {
  const FloatFormat& f64 = format(ElementType::kF64);
  const Rounded rounded = round_scaled(scaled, f64);
  const int64_t up = rounded.side > 0 ? 1 : 0;
  return decode(*from_ordinal(ordinal(rounded.bits, f64) + up, f64), f64);
}

// positive * P + negative * N, where P and N are what the accumulator holds.
template <typename Digits>
Scaled combine(const std::array<Digits, 2>& digits, int positive, int negative,
               int first, int last, int lowest) {
  Number number{};
  // Two more digits take what carries out of the last one.
  const int end = last + 2;
  for (int d = first; d <= last; ++d) {
    const auto i = static_cast<size_t>(d);
    number[i] = digits[0][i] * positive + digits[1][i] * negative;
  }
  if (last < first) return {};
  normalize(number, first, end);
  const bool below_zero = number[static_cast<size_t>(end)] < 0;
  if (below_zero) negate(number, first, end);
  Scaled scaled = leading_bits(number, first, end, lowest);
  scaled.negative = below_zero;
  return scaled;
}

}  // namespace

// The factor is 1 or -1.
void ExactSum::deposit(uint64_t significand, int exponent, size_t negative,
                       int64_t factor) {
  const int position = exponent - kLowest;
  const int digit = position / kDigitBits;
  const int shift = position % kDigitBits;
  int64_t* const slots = digits_[negative].data() + digit;
  const uint64_t low = significand << shift;
  const uint64_t high = significand >> kDigitBits >> (kDigitBits - shift);
  slots[0] += factor * (static_cast<int64_t>(low) & kDigitMask);
  slots[1] += factor * static_cast<int64_t>(low >> kDigitBits);
  slots[2] += factor * static_cast<int64_t>(high);
  first_ = std::min(first_, digit);
  last_ = std::max(last_, digit + 2);
  if (++pending_ == kMaxPending) carry();
}

void ExactSum::deposit(double value, size_t negative) {
  if (value == 0) return;
  const Scaled parts = split(value);
  deposit(parts.significand, static_cast<int>(parts.exponent), negative,
          parts.negative ? -1 : 1);
}

// A term's slices add up to it from above and below, but what was taken off so
// far is that term rounded, so that no class ever holds less than nothing.
void ExactSum::add(TermBlock& block) {
  terms_ += block.terms;
  any_negative_zero_ = any_negative_zero_ || block.any_negative_zero;
  any_positive_zero_ = any_positive_zero_ || block.any_positive_zero;
  while (block.largest > 0) {
    const Slice slice = take_slice(block);
    deposit(slice.positive, 0);
    deposit(slice.negative, 1);
  }
}

void ExactSum::carry() {
  pending_ = 0;
  for (Digits& digits : digits_) {
    for (int d = first_; d <= last_; ++d) {
      const auto i = static_cast<size_t>(d);
      const int64_t over = digits[i] >> kDigitBits;
      digits[i] &= kDigitMask;
      if (over == 0) continue;
      digits[i + 1] += over;
      last_ = std::max(last_, d + 1);
    }
  }
}

void ExactSum::add_normal(uint64_t bits) {
  ++terms_;
  deposit((bits & (kHidden - 1)) | kHidden,
          static_cast<int>(field(bits)) - 1075, bits >> 63);
}

void ExactSum::add_special(bool nan, bool negative) {
  ++terms_;
  if (nan) {
    nan_ = true;
  } else {
    infinity_[negative ? 1 : 0] = true;
  }
}

// Zeros, subnormals, infinities and NaN.
void ExactSum::add_other(uint64_t bits) {
  const uint64_t magnitude = bits & ~kSign;
  const bool negative = bits != magnitude;
  if (magnitude >= kInfinity) {
    return add_special(magnitude > kInfinity, negative);
  }
  if (magnitude == 0) {
    (negative ? any_negative_zero_ : any_positive_zero_) = true;
    return;
  }
  ++terms_;
  deposit(magnitude, -1074, negative ? 1 : 0);
}

void ExactSum::add(double term) {
  const auto bits = std::bit_cast<uint64_t>(term);
  if (field(bits) - 1 < 0x7fe) return add_normal(bits);
  add_other(bits);
}

void ExactSum::add_product(double a, double b) {
  const double product = a * b;
  const auto bits = std::bit_cast<uint64_t>(product);
  const uint64_t low =
      (std::bit_cast<uint64_t>(a) | std::bit_cast<uint64_t>(b)) & kLowHalf;
  // Significands of at most 26 bits each and a normal product: it is exact.
  if (low == 0 && field(bits) - 2 < 0x7fd) return add_normal(bits);
  add_long_product(a, b);
}

void ExactSum::add_long_product(double a, double b) {
  if (a == 0 || b == 0 || !std::isfinite(a) || !std::isfinite(b)) {
    return add_other(std::bit_cast<uint64_t>(a * b));
  }
  const Scaled x = split(a);
  const Scaled y = split(b);
  const int exponent = static_cast<int>(x.exponent + y.exponent);
  // Halves of 32 and 21 bits: sums of the partial products fit 64 bits.
  const uint64_t x_low = x.significand & kDigitMask;
  const uint64_t x_high = x.significand >> kDigitBits;
  const uint64_t y_low = y.significand & kDigitMask;
  const uint64_t y_high = y.significand >> kDigitBits;
  const size_t negative = x.negative != y.negative ? 1 : 0;
  ++terms_;
  const uint64_t middle = x_low * y_high + x_high * y_low;
  const uint64_t low = x_low * y_low + (middle << kDigitBits);
  const uint64_t carry = low < middle << kDigitBits ? 1 : 0;
  deposit(low, exponent, negative);
  deposit(x_high * y_high + (middle >> kDigitBits) + carry,
          exponent + 2 * kDigitBits, negative);
}

void ExactSum::add_all(const double* terms, int64_t n) {
  TermBlock block;
  while (n > kFewTerms) {
    const int64_t m = std::min(n, TermBlock::kTerms);
    if (load_terms(terms, m, block)) {
      add(block);
    } else {
      for (int64_t i = 0; i < m; ++i) add(terms[i]);
    }
    terms += m;
    n -= m;
  }
  for (int64_t i = 0; i < n; ++i) add(terms[i]);
}

void ExactSum::add_products(const double* a, const double* b, int64_t n) {
  TermBlock block;
  while (n > kFewTerms) {
    const int64_t m = std::min(n, TermBlock::kTerms);
    if (load_products(a, b, m, block)) {
      add(block);
    } else {
      for (int64_t i = 0; i < m; ++i) add_product(a[i], b[i]);
    }
    a += m;
    b += m;
    n -= m;
  }
  for (int64_t i = 0; i < n; ++i) add_product(a[i], b[i]);
}

void ExactSum::add(const ExactSum& other) {
  ExactSum normal = other;
  normal.carry();
  carry();
  for (int d = normal.first_; d <= normal.last_; ++d) {
    const auto i = static_cast<size_t>(d);
    digits_[0][i] += normal.digits_[0][i];
    digits_[1][i] += normal.digits_[1][i];
  }
  first_ = std::min(first_, normal.first_);
  last_ = std::max(last_, normal.last_);
  ++pending_;
  terms_ += other.terms_;
  nan_ = nan_ || other.nan_;
  infinity_[0] = infinity_[0] || other.infinity_[0];
  infinity_[1] = infinity_[1] || other.infinity_[1];
  any_negative_zero_ = any_negative_zero_ || other.any_negative_zero_;
  any_positive_zero_ = any_positive_zero_ || other.any_positive_zero_;
}

void ExactSum::clear() {
  for (Digits& digits : digits_) {
    for (int d = first_; d <= last_; ++d) digits[static_cast<size_t>(d)] = 0;
  }
  first_ = kDigits;
  last_ = -1;
  pending_ = 0;
  terms_ = 0;
  nan_ = false;
  infinity_ = {};
  any_negative_zero_ = false;
  any_positive_zero_ = false;
}

Rounded ExactSum::round(const FloatFormat& format) const {
  if (nan_ || (infinity_[0] && infinity_[1])) {
    return {nan_code(false, format), 0};
  }
  if (infinity_[0] || infinity_[1]) {
    return {encode(infinity_[1] ? -std::numeric_limits<double>::infinity()
                                : std::numeric_limits<double>::infinity(),
                   format),
            0};
  }
  const Scaled sum = combine(digits_, 1, -1, first_, last_, kLowest);
  if (sum.significand != 0) return round_scaled(sum, format);
  const bool negative =
      any_negative_zero_ && !any_positive_zero_ && terms_ == 0;
  return {zero_code(negative, format), 0};
}

double ExactSum::magnitude(int unit) const {
  if (nan_) return std::numeric_limits<double>::quiet_NaN();
  if (infinity_[0] || infinity_[1]) {
    return std::numeric_limits<double>::infinity();
  }
  return upward(combine(digits_, 1, 1, first_, last_, kLowest - unit));
}

double ExactSum::positive_sum() const {
  if (infinity_[0]) return std::numeric_limits<double>::infinity();
  return upward(combine(digits_, 1, 0, first_, last_, kLowest));
}

double ExactSum::negative_sum() const {
  if (infinity_[1]) return std::numeric_limits<double>::infinity();
  return upward(combine(digits_, 0, 1, first_, last_, kLowest));
}

ExactSum ExactSum::of_sign(bool negative) const {
  ExactSum sum;
  sum.digits_[negative ? 1 : 0] = digits_[negative ? 1 : 0];
  sum.first_ = first_;
  sum.last_ = last_;
  sum.pending_ = pending_;
  sum.terms_ = terms_;
  return sum;
}

Rounded ExactSum::round_outward(double bound, int direction,
                                const FloatFormat& format) const {
  ExactSum end = *this;
  end.add(direction * bound);
  const Rounded rounded = end.round(format);
  const bool finite = !end.nan_ && !end.infinity_[0] && !end.infinity_[1];
  if (finite && is_nan(rounded.bits, format)) {
    // Beyond the codes of a format without infinity, or not above 0 in e8m0.
    const Scaled sum =
        combine(end.digits_, 1, -1, end.first_, end.last_, kLowest);
    if (format.specials == Specials::kE8M0) {
      return {sum.negative || sum.significand == 0 ? 0 : format.max_finite(),
              0};
    }
    return {sum.negative ? format.max_finite() | format.sign_mask()
                         : format.max_finite(),
            0};
  }
  if (!finite || rounded.side * direction <= 0) return rounded;
  const auto next =
      from_ordinal(ordinal(rounded.bits, format) + direction, format);
  return {next.value_or(rounded.bits), 0};
}

uint64_t ExactSum::round_down_minus(double bound,
                                    const FloatFormat& format) const {
  return round_outward(bound, -1, format).bits;
}

uint64_t ExactSum::round_up_plus(double bound,
                                 const FloatFormat& format) const {
  return round_outward(bound, 1, format).bits;
}

}  // namespace hlo::numeric
