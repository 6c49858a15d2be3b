#include "conformance/sweep/points/complex_points.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "conformance/sweep/points/drawn_codes.h"
#include "conformance/sweep/points/hard_arguments.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

constexpr int64_t kReals = 64;  // chosen ones
constexpr int64_t kImaginaries = kReals / 2;
constexpr int64_t kGrid = kReals * kImaginaries;
constexpr int64_t kStrata = int64_t{1} << 17;
constexpr int64_t kHard = int64_t{1} << 15;
constexpr int64_t kPairs = int64_t{1} << 18;

struct ComplexCodes {
  uint64_t re = 0;
  uint64_t im = 0;
};

/// Draws complex numbers of one type for one operation.
class Drawing {
 public:
  explicit Drawing(const SweptOperation& operation)
      : format_(numeric::format(component_type(operation.type))),
        hard_(hard_arguments(operation.op->name)) {
    choose();
  }

  /// The k-th number of one operand; its imaginary part has the sign +.
  ComplexCodes number(int64_t k) const {
    ComplexCodes z;
    if (k < kGrid) {
      z = {chosen_.at(static_cast<size_t>(k % kReals)),
           chosen_.at(static_cast<size_t>(2 * (k / kReals)))};
    } else if (k < kGrid + kStrata) {
      z = stratum(static_cast<uint64_t>(k - kGrid));
    } else {
      z = hard(static_cast<uint64_t>(k - kGrid - kStrata));
    }
    z.im &= ~format_.sign_mask();
    return z;
  }

  std::array<ComplexCodes, 2> pair(uint64_t k) const {
    constexpr uint64_t kWays = 8;
    const ComplexCodes z = stratum(4 * k);
    const ComplexCodes drawn{near(z.re, 2 * k), near(z.im, 2 * k + 1)};
    switch (k % kWays) {
      case 0:
        return {z, stratum(4 * k + 1)};
      case 1:
        return {any_chosen(2 * k), any_chosen(2 * k + 1)};
      case 2:  // of about 1
        return {z, {near(one_, 2 * k), near(one_, 2 * k + 1)}};
      case 3:  // near the unit circle, beside a number of a few powers of 2
        return {on_circle(k), {near(one_, 2 * k), near(one_, 2 * k + 1)}};
      case 4:
      case 5:
        return {z, cancelling(z, drawn, k / kWays)};
      default:
        return {z, drawn};
    }
  }

 private:
  uint64_t code(double value) const { return numeric::encode(value, format_); }

  double value(uint64_t code) const { return numeric::decode(code, format_); }

  /// Chooses parts, each with both signs, the negative one behind.
  void choose() {
    constexpr double kQuarter = 0.78539816339744831;  // pi / 4
    const uint64_t least = uint64_t{1} << format_.mantissa_bits;
    const uint64_t most = format_.max_finite();
    const double overflow = end_of_exponential();
    std::vector<uint64_t> codes = {0,
                                   1,
                                   least - 1,
                                   least,
                                   one_ - 1,
                                   one_,
                                   one_ + 1,
                                   most,
                                   format_.infinity(),
                                   format_.quiet_nan(),
                                   code(0.5),
                                   code(2)};
    for (const int n : {1, 2, 3, 4, 5, 8}) codes.push_back(code(n * kQuarter));
    for (const double x : {overflow, overflow / 2, overflow * 2}) {
      codes.insert(codes.end(), {code(x), code(x) + 1});
    }
    for (const int e : {-1, 1}) {
      const double half = std::ldexp(1.0, e * format_.precision());
      codes.insert(codes.end(), {code(half), code(std::sqrt(half))});
    }
    for (uint64_t k = 0; std::ssize(codes) < kImaginaries; ++k) {
      codes.push_back(near(one_, k));
    }
    for (const uint64_t one : codes) {
      chosen_.insert(chosen_.end(), {one, one | format_.sign_mask()});
    }
  }

  /// The logarithm of the largest number.
  double end_of_exponential() const {
    constexpr double kLogOfTwo = 0.69314718055994531;
    return kLogOfTwo * (format_.bias + 1);
  }

  ComplexCodes any_chosen(uint64_t k) const {
    const uint64_t bits = mixed(k);
    return {chosen_.at(bits % kReals), chosen_.at((bits >> 8U) % kReals)};
  }

  /// A code of these bits of sign and exponent, with the mantissa of `bits`.
  uint64_t with_head(uint64_t head, uint64_t bits) const {
    const auto mantissa = static_cast<unsigned>(format_.mantissa_bits);
    return head << mantissa | (bits & ((uint64_t{1} << mantissa) - 1));
  }

  uint64_t near(uint64_t of, uint64_t k) const {
    return beside(of, mixed(k), format_);
  }

  /// The bits of sign and exponent of the real part count up. Those of the
  /// imaginary part count up in formats of few exponents; in the others they
  /// are drawn, every second time with an exponent near the real part's.
  ComplexCodes stratum(uint64_t k) const {
    const auto exponents = static_cast<unsigned>(format_.exponent_bits);
    const uint64_t heads = uint64_t{2} << exponents;
    const uint64_t re = with_head(k % heads, mixed(2 * k));
    const uint64_t round = k / heads;
    const uint64_t bits = mixed(2 * k + 1);
    const bool all = heads * heads / 2 <= kStrata;
    if (all) return {re, with_head(round % heads, bits)};
    if (round % 2 == 0) return {re, beside(re, bits, format_)};
    const uint64_t top = format_.sign_mask();
    return {re, bits & (top | (top - 1))};
  }

  /// A few codes beside a number.
  uint64_t about(double x, uint64_t bits) const {
    constexpr uint64_t kFew = 8;
    const uint64_t nearest = code(x);
    return nearest > kFew ? nearest + bits % kFew - kFew / 2 : nearest;
  }

  /// 2^-e with e from 0 to 31 times a number from 1 to 2.
  static double small(uint64_t bits) {
    constexpr uint64_t kMost = 32;
    const double mantissa =
        1 + std::ldexp(static_cast<double>(bits >> 44), -20);
    return std::ldexp(mantissa, -static_cast<int>(bits % kMost));
  }

  uint64_t sign(uint64_t bits) const {
    return bits >> 63 != 0 ? format_.sign_mask() : 0;
  }

  /// A number of modulus 1, or nearly.
  ComplexCodes on_circle(uint64_t k) const {
    const uint64_t bits = mixed(3 * k);
    const double one = std::min(small(bits), 1.0);
    const uint64_t other = about(std::sqrt(1 - one * one), mixed(3 * k + 1));
    ComplexCodes z{code(one), other};
    if ((bits >> 40U) % 2 != 0) std::swap(z.re, z.im);
    z.re |= sign(mixed(3 * k + 2));
    return z;
  }

  /// A number near 1, -1 or i.
  ComplexCodes near_one(uint64_t k) const {
    const uint64_t bits = mixed(3 * k);
    const double step = (bits >> 40U) % 2 != 0 ? small(bits) : -small(bits);
    ComplexCodes z{about(1 + step / 4, mixed(3 * k + 1)),
                   code(small(mixed(3 * k + 2)))};
    if ((bits >> 41U) % 2 != 0) std::swap(z.re, z.im);
    z.re |= sign(mixed(3 * k + 2));
    return z;
  }

  /// The number nearest to a multiple of pi / 2.
  uint64_t angle(uint64_t bits) const {
    constexpr double kHalf = 1.5707963267948966;  // pi / 2 = kHalf + kRest
    constexpr double kRest = 6.123233995736766e-17;
    constexpr uint64_t kTurns = 20;  // 2^20 at most
    const auto n = static_cast<double>(
        1 + (mixed(bits) & ((uint64_t{1} << bits % kTurns) - 1)));
    return code(std::fma(n, kHalf, n * kRest));
  }

  /// A magnitude at which the real function is hard to round, or one near the
  /// end of the exponential.
  uint64_t hard_magnitude(uint64_t bits) const {
    if (hard_.empty()) return about(small(bits) * end_of_exponential(), bits);
    return code(std::bit_cast<double>(hard_.at(bits % hard_.size())));
  }

  ComplexCodes hard(uint64_t k) const {
    constexpr uint64_t kWays = 8;
    const uint64_t bits = mixed(k);
    const uint64_t other = near(one_, k);
    const uint64_t re = sign(bits);
    switch (k % kWays) {
      case 0:
        return on_circle(k);
      case 1:
        return near_one(k);
      case 2:
        return {other, angle(bits)};
      case 3:
        return {angle(bits) | re, other};
      case 4:
        return {hard_magnitude(bits) | re, bits % 3 == 0 ? 0 : other};
      case 5:
        return {bits % 3 == 0 ? re : other, hard_magnitude(bits)};
      case 6:  // beside the end of the exponential
        return {code(end_of_exponential() + small(bits)) | re, other};
      default:  // beside the diagonals
        return {stratum(bits).re, stratum(bits).re + (bits >> 60U) % 3 - 1};
    }
  }

  /// A number w with a part of zw or of z / w that nearly cancels: w is like
  /// another one but for its real part.
  ComplexCodes cancelling(const ComplexCodes& z, ComplexCodes w,
                          uint64_t k) const {
    const double a = value(z.re);
    const double b = value(z.im);
    const double d = value(w.im);
    const double product = k % 2 == 0 ? b / a * d : a / b * d;
    w.re = numeric::encode((k >> 1U) % 2 == 0 ? product : -product, format_);
    if (numeric::is_nan(w.re, format_)) w.re = one_;
    return w;
  }

  const FloatFormat& format_;
  const uint64_t one_ = numeric::encode(1, format_);
  std::vector<uint64_t> hard_;
  std::vector<uint64_t> chosen_;
};

Scalar scalar(ElementType type, const ComplexCodes& z) {
  return {.type = type, .bits = {z.re, z.im}};
}

Literal array_of(ElementType type, int64_t n) {
  return Literal::uninitialized(Shape::array(type, {n}));
}

}  // namespace

int64_t complex_count(const SweptOperation& operation) {
  return operation.arity == 2 ? kPairs : kGrid + kStrata + kHard;
}

SweepPoints complex_points(const SweptOperation& operation, int64_t begin,
                           int64_t end) {
  const Drawing drawing(operation);
  const ElementType type = operation.type;
  const int64_t n = end - begin;
  SweepPoints points;
  points.runs.push_back({.begin = 0, .end = n});
  if (operation.arity == 2) {
    points.operands.assign(2, array_of(type, n));
    for (int64_t i = 0; i < n; ++i) {
      const auto pair = drawing.pair(static_cast<uint64_t>(begin + i));
      points.operands[0].set(i, scalar(type, pair[0]));
      points.operands[1].set(i, scalar(type, pair[1]));
    }
    return points;
  }
  const uint64_t minus = numeric::format(component_type(type)).sign_mask();
  points.runs.push_back({.begin = n, .end = 2 * n, .sign = 1});
  points.mirrored = true;
  points.operands.push_back(array_of(type, 2 * n));
  for (int64_t i = 0; i < n; ++i) {
    const ComplexCodes z = drawing.number(begin + i);
    points.operands[0].set(i, scalar(type, z));
    points.operands[0].set(n + i, scalar(type, {z.re, z.im | minus}));
  }
  return points;
}

}  // namespace hlo::conformance
