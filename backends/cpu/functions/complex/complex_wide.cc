#include "backends/cpu/functions/complex/complex_wide.h"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

namespace hlo::cpu {
namespace {

namespace mp = boost::multiprecision;

template <unsigned kBits>
using Binary =
    mp::number<mp::backends::cpp_bin_float<kBits, mp::backends::digit_base_2,
                                           void, std::int32_t>,
               mp::et_off>;

// The turn of a power is below 2^1040, and of its rest as many bits count.
using Turns = Binary<2304>;
// Sums of products of two doubles, of which none is cut off.
using Exact = Binary<4608>;
using Number = Binary<256>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Number pi() { return boost::math::constants::pi<Number>(); }

/// The angle of a point, in (-pi, pi]; a zero y has the sign of `below`.
Number angle_of(const Exact& y, const Exact& x, bool below) {
  if (y == 0) {
    if (x > 0) return Number(0);
    return below ? Number(-pi()) : pi();
  }
  // Only their ratio counts, which may be beyond what a Number holds exactly.
  return mp::atan2(Number(y), Number(x));
}

/// log(x / y), near 1 without what cancels. Far from 1, x / y - 1 may be -1 but
/// for bits that no Number has.
Number log_of_ratio(const Exact& x, const Exact& y) {
  const Number ratio = Number(Exact(x / y));
  if (ratio < 0.5 || ratio > 2) return mp::log(ratio);
  return mp::log1p(Number(Exact((x - y) / y)));
}

/// The length times a sine or cosine of a turn, which is known to 2^-1250, as
/// no turn is above 2^1040. If it is no zero it is at least about 2^-1074, of a
/// multiple of pi by the least double: what is below 2^-1200 is zero.
double part_of(const Turns& length, const Turns& part) {
  if (abs(part) < mp::ldexp(Turns(1), -1200)) return part < 0 ? -0.0 : 0.0;
  return static_cast<double>(Turns(length * part));
}

Number within_turn(Number angle) {
  if (angle > pi()) angle -= 2 * pi();
  if (angle < -pi()) angle += 2 * pi();
  return angle;
}

}  // namespace

std::complex<double> wide_power(std::complex<double> base,
                                std::complex<double> exponent) {
  const Turns a = base.real();
  const Turns b = base.imag();
  const Turns size = mp::log(a * a + b * b) / 2;
  Turns angle = b == 0 && a > 0 ? Turns(0) : Turns(mp::atan2(abs(b), a));
  if (std::signbit(base.imag())) angle = -angle;
  const Turns c = exponent.real();
  const Turns d = exponent.imag();
  const Turns real = c * size - d * angle;
  const Turns turn = c * angle + d * size;
  // Beyond e^3000 all parts but zeros overflow, and below e^-3000 vanish.
  const Turns within = std::clamp<Turns>(real, -3000, 3000);
  const Turns length = mp::exp(within);
  return {part_of(length, mp::cos(turn)), part_of(length, mp::sin(turn))};
}

std::complex<double> wide_angle(std::complex<double> y,
                                std::complex<double> x) {
  const Exact a = y.real();
  const Exact b = y.imag();
  const Exact c = x.real();
  const Exact d = x.imag();
  const Exact plus = (c - b) * (c - b) + (d + a) * (d + a);   // |x + iy|^2
  const Exact minus = (c + b) * (c + b) + (d - a) * (d - a);  // |x - iy|^2
  if (plus == 0 && minus == 0) return {kNan, kNan};
  if (plus == 0) return {kNan, kInfinity};
  if (minus == 0) return {kNan, -kInfinity};
  const Exact cross = b * c - a * d;
  const double zero = std::copysign(
      0.0, std::copysign(1.0, y.imag()) * std::copysign(1.0, x.real()));
  const double v =
      cross == 0 ? zero : static_cast<double>(log_of_ratio(minus, plus) / 4);
  // u is half the angle of its cosine's and sine's squares, or half a turn
  // away.
  const Exact dot = a * c + b * d;
  const bool is_below = std::signbit(y.real()) && y.real() == 0 &&
                        std::signbit(x.imag()) && x.imag() == 0;
  const Number half =
      angle_of(2 * dot, c * c + d * d - a * a - b * b, is_below) / 2;
  const Exact root_imaginary = a * b + c * d;
  const bool is_root_below = root_imaginary == 0 &&
                             std::signbit(x.real()) != std::signbit(x.imag()) &&
                             std::signbit(y.real()) != std::signbit(y.imag());
  const Number root = angle_of(2 * root_imaginary,
                               c * c - d * d + a * a - b * b, is_root_below) /
                      2;
  const Number seen = within_turn(angle_of(d + a, c - b, is_below) - root);
  if (mp::cos(Number(seen - half)) > 0) {
    if (dot == 0 && half == 0) return {is_below ? -0.0 : 0.0, v};
    return {static_cast<double>(half), v};
  }
  const bool turns_back = half > 0 || (half == 0 && is_below);
  return {static_cast<double>(
              Number(turns_back ? Number(half - pi()) : Number(half + pi()))),
          v};
}

}  // namespace hlo::cpu
