#pragma once

#include <bit>
#include <cmath>
#include <limits>

#include "interpreter/numeric/f64/double_binary_functions.h"
#include "interpreter/numeric/f64/double_functions.h"

// Real numbers that are known up to an error, which each operation carries on.
namespace hlo::numeric {

/// The number differs from `mid` by at most `error`; where either is NaN or
/// infinite nothing is known.
struct Ball {
  double mid;
  double error;

  /// A double.
  explicit Ball(double exact) : mid(exact), error(0) {}

  /// What an operation gives: rounded to nearest, off by `carried` at most
  /// before. The factor covers the rounding of the errors themselves, the last
  /// term what goes below the normal numbers.
  Ball(double rounded, double carried)
      : mid(rounded),
        error((carried + std::abs(rounded) * 0x1p-53) * (1 + 0x1p-40) +
              0x1p-1000) {}

  double least() const { return std::abs(mid) - error; }

  friend Ball operator+(Ball a, Ball b) {
    return {a.mid + b.mid, a.error + b.error};
  }

  friend Ball operator-(Ball a, Ball b) {
    return {a.mid - b.mid, a.error + b.error};
  }

  friend Ball operator*(Ball a, Ball b) {
    return {a.mid * b.mid, std::abs(a.mid) * b.error +
                               std::abs(b.mid) * a.error + a.error * b.error};
  }

  friend Ball operator/(Ball a, Ball b) {
    const double quotient = a.mid / b.mid;
    if (!(b.least() > 0)) return unknown();
    return {
        quotient,
        (a.error + (std::abs(quotient) * (1 + 0x1p-50)) * b.error) / b.least()};
  }

  Ball operator-() const {
    Ball negative = *this;
    negative.mid = -mid;
    return negative;
  }

  static Ball unknown() {
    return {std::numeric_limits<double>::quiet_NaN(), 0};
  }

  /// The number rounded to f32, or NaN where that is not certain: zeros, whose
  /// sign is not known, among it.
  double single() const {
    const double slack = error + std::abs(mid) * 0x1p-52;
    const auto one = static_cast<float>(mid - slack);
    const auto other = static_cast<float>(mid + slack);
    const bool is_certain = one == other && one != 0;
    return is_certain ? one : std::numeric_limits<double>::quiet_NaN();
  }
};

/// A function of an exact number, which lies in its domain.
inline Ball of(Function function, double x) {
  const auto rounded = round_double(function, x);
  return rounded ? Ball(std::bit_cast<double>(rounded->bits), 0.0)
                 : Ball::unknown();
}

inline Ball sqrt(Ball x) {
  if (!(x.error < x.mid / 2)) return Ball::unknown();
  const double root = std::sqrt(x.mid);
  return {root, x.error / root * (1 + 0x1p-50)};
}

/// |log(x + d) - log x| <= 2 |d| / x where |d| <= x / 2.
inline Ball log(Ball x) {
  if (!(x.error < x.mid / 2)) return Ball::unknown();
  return {of(Function::kLog, x.mid).mid, 2 * x.error / x.mid};
}

/// The logarithm of 1 + x, for x > -1/2: the derivative is below 4 there.
inline Ball log_plus_one(Ball x) {
  if (!(x.mid > -0.5 && x.error < 0x1p-4)) return Ball::unknown();
  if (std::abs(x.mid) < 0x1p-60) return Ball::unknown();
  return {of(Function::kLogPlusOne, x.mid).mid, 4 * x.error};
}

/// The angle of (x, y), where it is certain on which side of the cut y lies: it
/// moves by d / r at most, doubled since r is known up to its half.
inline Ball angle(Ball y, Ball x) {
  const double moved = y.error + x.error;
  const double size = std::abs(y.mid) + std::abs(x.mid);
  if (!(y.least() > 0 && moved < size / 8)) return Ball::unknown();
  const auto rounded = round_double2(Function2::kAtan2, y.mid, x.mid);
  if (!rounded) return Ball::unknown();
  return {std::bit_cast<double>(rounded->bits), 4 * moved / size};
}

/// e^x: e^d - 1 is at most 2 |d| for |d| <= 1/2.
inline Ball exponential(Ball x) {
  if (!(x.error < 0.5 && std::abs(x.mid) < 600)) return Ball::unknown();
  const Ball power = of(Function::kExponential, x.mid);
  return {power.mid, 2 * x.error * power.mid};
}

inline Ball sine(Ball x) { return {of(Function::kSine, x.mid).mid, x.error}; }

inline Ball cosine(Ball x) {
  return {of(Function::kCosine, x.mid).mid, x.error};
}

}  // namespace hlo::numeric
