#include "interpreter/numeric/complex/complex_narrow.h"

#include <cmath>

#include "interpreter/numeric/f64/ball.h"

// Functions of c64 in double with the error of each step: 53 bits decide nearly
// all roundings to 24. Parts of arguments are exact, and neither is 0.
namespace hlo::numeric {
namespace {

using Complex = std::complex<double>;

struct Point {
  Ball re = Ball::unknown();
  Ball im = Ball::unknown();

  Complex single() const { return {re.single(), im.single()}; }
};

Point exponential(double x, double y) {
  const Ball size = exponential(Ball(x));
  return {size * cosine(Ball(y)), size * sine(Ball(y))};
}

// e^x cos y - 1 = (e^x - 1) cos y - 2 sin^2(y / 2).
Point exponential_minus_one(double x, double y) {
  if (std::abs(x) > 600 || std::abs(x) < 0x1p-50) return {};
  const Ball half = sine(Ball(y / 2));
  return {of(Function::kExponentialMinusOne, x) * cosine(Ball(y)) -
              Ball(2) * half * half,
          exponential(Ball(x)) * sine(Ball(y))};
}

Point sinh(double x, double y) {
  if (std::abs(x) > 600 || std::abs(x) < 0x1p-25) return {};
  return {of(Function::kSinh, x) * cosine(Ball(y)),
          of(Function::kCosh, x) * sine(Ball(y))};
}

Point cosh(double x, double y) {
  if (std::abs(x) > 600 || std::abs(x) < 0x1p-25) return {};
  return {of(Function::kCosh, x) * cosine(Ball(y)),
          of(Function::kSinh, x) * sine(Ball(y))};
}

// (sinh 2x + i sin 2y) / (cosh 2x + cos 2y)
Point tanh(double x, double y) {
  if (std::abs(x) > 300 || std::abs(x) < 0x1p-25) return {};
  const Ball norm = of(Function::kCosh, 2 * x) + cosine(Ball(2 * y));
  return {of(Function::kSinh, 2 * x) / norm, sine(Ball(2 * y)) / norm};
}

// 1 / (1 + e^-z) = (1 + conj w) / |1 + w|^2 with w = e^-z.
Point logistic(double x, double y) {
  const Point power = exponential(-x, -y);
  const Ball re = Ball(1) + power.re;
  const Ball norm = re * re + power.im * power.im;
  return {re / norm, -power.im / norm};
}

// log |z|; near 1 of |z|^2 - 1, with differences that are exact there.
Ball log_of_size(double x, double y) {
  const double large = std::max(std::abs(x), std::abs(y));
  const double small = std::min(std::abs(x), std::abs(y));
  const Ball norm = Ball(x) * Ball(x) + Ball(y) * Ball(y);
  if (norm.mid < 0.75 || norm.mid > 2) return Ball(0.5) * log(norm);
  const Ball above = (Ball(large) - Ball(1)) * (Ball(large) + Ball(1));
  return Ball(0.5) * log_plus_one(above + Ball(small) * Ball(small));
}

Point log(double x, double y) {
  return {log_of_size(x, y), angle(Ball(y), Ball(x))};
}

Point log_plus_one(double x, double y) {
  const Ball above = Ball(x) * (Ball(x) + Ball(2)) + Ball(y) * Ball(y);
  const Ball re = Ball(x) + Ball(1);
  const Ball size = above.mid > -0.5 && above.mid < 2
                        ? log_plus_one(above)
                        : log(re * re + Ball(y) * Ball(y));
  return {Ball(0.5) * size, angle(Ball(y), re)};
}

Ball size_of(Ball x, double y) { return sqrt(x * x + Ball(y) * Ball(y)); }

// With t = sqrt((|x| + |z|) / 2) the root is t + iy / 2t, or turned.
Point root(double x, double y) {
  const Ball t = sqrt(Ball(0.5) * (Ball(std::abs(x)) + size_of(Ball(x), y)));
  const Ball other = Ball(std::abs(y)) / (Ball(2) * t);
  const Ball re = x < 0 ? other : t;
  const Ball im = x < 0 ? t : other;
  return {re, y < 0 ? -im : im};
}

Point inverse_root(double x, double y) {
  const Point direct = root(x, y);
  const Ball size = size_of(Ball(x), y);
  return {direct.re / size, -direct.im / size};
}

Point sign(double x, double y) {
  const Ball size = size_of(Ball(x), y);
  return {Ball(x) / size, Ball(y) / size};
}

// Hull, Fairgrieve and Tang (1997): with the distances r and s of (|x|, |y|)
// from -1 and 1 and a = (r + s) / 2, asin has the angle of
// (sqrt(a^2 - x^2), x) and the size acosh a. No step cancels.
struct Distances {
  Ball below_a;  // a - |x|
  Ball above_a;  // a + |x|
  Ball over_1;   // a - 1
  Ball a;

  static Distances of(double x, double y) {
    const Ball next = Ball(x) + Ball(1);
    const Ball gap = Ball(x) - Ball(1);
    const Ball r = size_of(next, y);
    const Ball s = size_of(gap, y);
    const Ball square = Ball(y) * Ball(y);
    const Ball half(0.5);
    const bool is_inside = x <= 1;
    // r - (x + 1) and the like, as quotients of y^2 and a sum.
    const Ball near = square / (r + next);
    const Ball far = is_inside ? s - gap : square / (s + gap);
    const Ball to_1 = is_inside ? square / (s - gap) : s + gap;
    const Ball a = half * (r + s);
    return {half * (near + far), a + Ball(x), half * (near + to_1), a};
  }
};

/// For positive parts: the angle of asin, that of acos, and the size of both.
struct Inverse {
  Ball asin;
  Ball acos;
  Ball size;
};

Inverse inverse(double x, double y) {
  const Distances d = Distances::of(x, y);
  const Ball side = sqrt(d.above_a * d.below_a);
  const Ball size = log_plus_one(d.over_1 + sqrt(d.over_1 * (d.a + Ball(1))));
  return {angle(Ball(x), side), angle(side, Ball(x)), size};
}

Ball with_sign_of(double x, Ball magnitude) {
  return x < 0 ? -magnitude : magnitude;
}

Point asin(double x, double y) {
  const Inverse found = inverse(std::abs(x), std::abs(y));
  return {with_sign_of(x, found.asin), with_sign_of(y, found.size)};
}

Point acos(double x, double y) {
  const Inverse found = inverse(std::abs(x), std::abs(y));
  const Ball half_turn = Ball(0x1.921fb54442d18p+1, 0.0);
  const Ball angle = x < 0 ? half_turn - found.acos : found.acos;
  return {angle, with_sign_of(y, -found.size)};
}

Point acosh(double x, double y) {
  const Point angle = acos(x, y);
  const Ball size = angle.im.mid < 0 ? -angle.im : angle.im;
  return {size, with_sign_of(y, angle.re)};
}

// (log1p(4x / ((1 - x)^2 + y^2)) + 2i angle(2y, (1 - x)(1 + x) - y^2)) / 4;
// for negative x the other way round, as atanh is odd.
Point atanh(double x, double y) {
  if (x < 0) {
    const Point positive = atanh(-x, -y);
    return {-positive.re, -positive.im};
  }
  const Ball gap = Ball(1) - Ball(x);
  const Ball square = Ball(y) * Ball(y);
  const Ball norm = gap * gap + square;
  const Ball turn =
      angle(Ball(2) * Ball(y), gap * (Ball(1) + Ball(x)) - square);
  return {Ball(0.25) * log_plus_one(Ball(4) * Ball(x) / norm),
          Ball(0.5) * turn};
}

Complex turned(Complex z) { return {z.imag(), z.real()}; }

Point point(ComplexFunction function, double x, double y) {
  switch (function) {
    case ComplexFunction::kExponential:
      return exponential(x, y);
    case ComplexFunction::kExponentialMinusOne:
      return exponential_minus_one(x, y);
    case ComplexFunction::kSinh:
      return sinh(x, y);
    case ComplexFunction::kCosh:
      return cosh(x, y);
    case ComplexFunction::kTanh:
      return tanh(x, y);
    case ComplexFunction::kLogistic:
      return logistic(x, y);
    case ComplexFunction::kLog:
      return log(x, y);
    case ComplexFunction::kLogPlusOne:
      return log_plus_one(x, y);
    case ComplexFunction::kSqrt:
      return root(x, y);
    case ComplexFunction::kRsqrt:
      return inverse_root(x, y);
    case ComplexFunction::kSign:
      return sign(x, y);
    case ComplexFunction::kAsin:
      return asin(x, y);
    case ComplexFunction::kAcos:
      return acos(x, y);
    case ComplexFunction::kAcosh:
      return acosh(x, y);
    case ComplexFunction::kAtanh:
      return atanh(x, y);
    default:
      return {};
  }
}

}  // namespace

Complex narrow_value(ComplexFunction function, Complex z) {
  const double x = z.real();
  const double y = z.imag();
  const bool is_plain =
      std::isfinite(x) && std::isfinite(y) && x != 0 && y != 0;
  if (!is_plain) return Point{}.single();
  switch (function) {  // on the other axis: sin z = -i sinh iz
    case ComplexFunction::kSine:
      return turned(narrow_value(ComplexFunction::kSinh, {y, x}));
    case ComplexFunction::kTan:
      return turned(narrow_value(ComplexFunction::kTanh, {y, x}));
    case ComplexFunction::kAsinh:
      return turned(narrow_value(ComplexFunction::kAsin, {y, x}));
    case ComplexFunction::kAtan:
      return turned(narrow_value(ComplexFunction::kAtanh, {y, x}));
    case ComplexFunction::kCosine:
      return narrow_value(ComplexFunction::kCosh, {y, -x});
    default:
      return point(function, x, y).single();
  }
}

Complex narrow_power(Complex x, Complex y) {
  const bool is_plain = std::isfinite(x.real()) && std::isfinite(x.imag()) &&
                        x.real() != 0 && x.imag() != 0 &&
                        std::isfinite(y.real()) && std::isfinite(y.imag());
  if (!is_plain) return Point{}.single();
  const Point base = log(x.real(), x.imag());
  const Ball re = base.re * Ball(y.real()) - base.im * Ball(y.imag());
  const Ball im = base.re * Ball(y.imag()) + base.im * Ball(y.real());
  const Ball size = exponential(re);
  const Point power = {size * cosine(im), size * sine(im)};
  return power.single();
}

}  // namespace hlo::numeric
