#include "conformance/expect/linear/expect_normwise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "conformance/expect/linear/exact_complex.h"
#include "conformance/expect/linear/open_signs.h"
#include "conformance/literals/differences.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/sets/sum_range.h"
#include "interpreter/definition/numbers/exact_numbers.h"
#include "interpreter/numeric/format/float_codes.h"

// A result z lies within E = units u |z| + s of its exact value, part by part,
// u the unit of rounding and s the least subnormal number. What the reference
// returns is off by up to u |z| itself: where that, or overflow, may matter to
// what was observed, z is computed again.
namespace hlo::conformance {
namespace {

using definition::Real;
using numeric::ExactSum;
using numeric::FloatFormat;

using Ranges = std::vector<ComponentRange>;

/// The number x 2^-exponent, rounded to double.
double scaled(const Real& x, int64_t exponent) {
  return definition::rational(ldexp(x, -exponent)).convert_to<double>();
}

/// A finite number to more than 100 bits.
ExactSum sum_of(const Real& x) {
  ExactSum sum;
  if (is_zero(x)) return sum;
  // 2^exponent may be no double, but the product of two.
  const auto exponent = static_cast<int>(ilogb(x));
  const double head = scaled(x, exponent);
  const double tail = scaled(x - ldexp(Real(head), exponent), exponent);
  const double scale = std::ldexp(1.0, exponent / 2);
  for (const double share : {head, tail}) {
    sum.add_product(std::ldexp(share, exponent - exponent / 2), scale);
  }
  return sum;
}

class Normwise {
 public:
  Normwise(double units, const Instruction& instruction, Operands operands,
           const Literal& reference)
      : instruction_(instruction),
        operands_(operands),
        reference_(reference),
        format_(numeric::format(component_type(reference.type()))),
        unit_(std::ldexp(units, -format_.precision()) * (1 + 0x1p-20)),
        smallest_(
            std::ldexp(1.0, format_.min_exponent() - format_.mantissa_bits)) {}

  /// What the components of element i may be: exactly, or so that it says as
  /// much about the one observed, if that is given.
  Ranges ranges(int64_t i, const Literal* observed) const {
    const Scalar element = reference_.at(i);
    const bool is_clear =
        observed != nullptr && is_clear_cut(element, observed->at(i));
    const auto exact =
        is_clear ? std::nullopt : exact_parts(instruction_, operands_, i);
    Ranges ranges = exact ? around(*exact) : around(element);
    if (is_product()) add_overflows(ranges, i);
    if (!is_complex(reference_.type())) end_at_zero(ranges[0]);
    if (const auto function = instruction_.op->accuracy.complex_function) {
      const std::array<bool, 2> open = open_signs(*function, operand(0, i));
      for (size_t k = 0; k < ranges.size(); ++k) {
        if (open.at(k)) add_other_sign(ranges[k]);
      }
    }
    return ranges;
  }

 private:
  /// Whether the reference's error and overflow do not matter.
  bool is_clear_cut(const Scalar& element, const Scalar& observed) const {
    const int parts = components(element.type);
    double modulus = 0;  // times the unit
    for (int k = 0; k < parts; ++k) {
      modulus = std::hypot(modulus, unit_ * part(element, k));
    }
    const double doubt =
        2 * std::ldexp(modulus / unit_, -format_.precision()) + smallest_;
    for (int k = 0; k < parts; ++k) {
      const double y = part(element, k);
      const double distance = std::fabs(part(observed, k) - y);
      // NaN is none of both.
      const bool is_far = distance > modulus + smallest_ + doubt;
      const bool is_near = distance < modulus - doubt;
      const bool is_low = !is_beyond(std::fabs(y) + 2 * modulus);
      if (!(is_far || is_near) || !is_low) return false;
    }
    return true;
  }

  double part(const Scalar& element, int k) const {
    return numeric::decode(element.bits.at(static_cast<size_t>(k)), format_);
  }

  bool is_product() const {
    return instruction_.op->accuracy.complex_function2 ==
           numeric::ComplexFunction2::kMultiply;
  }

  /// Around the components of what the reference returns: beside infinity and
  /// NaN, which have no error, each one's own size is the modulus.
  Ranges around(const Scalar& element) const {
    std::vector<double> parts;
    double modulus = 0;  // times the unit, for it might overflow
    for (int k = 0; k < components(element.type); ++k) {
      const uint64_t code = element.bits.at(static_cast<size_t>(k));
      parts.push_back(unit_ * numeric::decode(code, format_));
      modulus = std::hypot(modulus, parts.back());
    }
    Ranges ranges;
    for (size_t k = 0; k < parts.size(); ++k) {
      const uint64_t code = element.bits.at(k);
      const bool alone = !std::isfinite(modulus);
      const bool is_fixed =
          !std::isfinite(parts[k]) || (alone && parts[k] == 0);
      const double share = alone ? std::fabs(parts[k]) : modulus;
      ranges.push_back(
          is_fixed ? ComponentRange{.value = code, .low = code, .high = code}
                   : around(code, share + smallest_));
    }
    return ranges;
  }

  ComponentRange around(uint64_t code, double error) const {
    ExactSum sum;
    sum.add(numeric::decode(code, format_));
    ComponentRange range = range_with_infinity(sum, error, format_);
    range.value = code;  // the zero of that sign
    return range;
  }

  /// Around parts that may be beyond the range of the type.
  Ranges around(const std::vector<Real>& exact) const {
    Real norm = 0;
    for (const Real& part : exact) norm = norm + part * part;
    // 2^e is near the modulus, which may be beyond doubles; where it is below
    // them, the least number counts. The error is in units of 2^e, as neither
    // has to round the other away.
    constexpr int64_t kLeast = -1040;
    const auto e = static_cast<int>(
        is_zero(norm) ? 0 : std::max<int64_t>(ilogb(norm) / 2, kLeast));
    const double error = (unit_ * std::sqrt(scaled(norm, 2 * int64_t{e})) +
                          std::ldexp(smallest_, -e)) *
                         (1 + 0x1p-50);
    Ranges ranges;
    for (const Real& part : exact) {
      ranges.push_back(range_with_infinity(sum_of(part), error, format_, e));
      ranges.back().empty = is_beyond(std::ldexp(error, e));
    }
    return ranges;
  }

  /// (a + bi)(c + di) as ac - bd and ad + bc, rounded one by one, overflows
  /// where a product does: to its infinity, or, where two meet, to NaN.
  void add_overflows(Ranges& ranges, int64_t i) const {
    const auto [a, b] = operand(0, i);
    const auto [c, d] = operand(1, i);
    for (const double part : {a, b, c, d}) {
      if (!std::isfinite(part)) return;
    }
    add_overflows(ranges[0], product(a, c), -product(b, d));
    add_overflows(ranges[1], product(a, d), product(b, c));
  }

  /// No modulus is negative.
  void end_at_zero(ComponentRange& range) const {
    const bool is_number = !numeric::is_nan(range.low, format_);
    if (is_number && numeric::sign_bit(range.low, format_)) range.low = 0;
  }

  static void add_overflows(ComponentRange& range, double x, double y) {
    range.above = range.above || std::max(x, y) == HUGE_VAL;
    range.below = range.below || std::min(x, y) == -HUGE_VAL;
    range.nan = range.nan || std::isnan(x + y);
  }

  /// Admits the other infinity, or the other zero.
  void add_other_sign(ComponentRange& range) const {
    const double value = numeric::decode(range.value, format_);
    if (std::isinf(value)) range.above = range.below = true;
    if (value == 0) {
      range.low = numeric::encode(-0.0, format_);
      range.high = numeric::encode(0.0, format_);
    }
  }

  bool is_beyond(double error) const {
    return error >= numeric::decode(format_.max_finite(), format_);
  }

  double product(double x, double y) const {
    return numeric::decode(numeric::encode(x * y, format_), format_);
  }

  std::array<double, 2> operand(size_t k, int64_t i) const {
    const Scalar x = operands_[k].at(i);
    const FloatFormat& format = numeric::format(component_type(x.type));
    return {numeric::decode(x.bits[0], format),
            numeric::decode(x.bits[1], format)};
  }

  const Instruction& instruction_;
  Operands operands_;
  const Literal& reference_;
  const FloatFormat& format_;
  double unit_;
  double smallest_;
};

}  // namespace

Expectation expect_normwise(double units, const Instruction& instruction,
                            Operands operands, const Literal& reference,
                            const Literal* observed) {
  ArraySet set = ArraySet::computed(reference);
  const Normwise normwise(units, instruction, operands, reference);
  for_each_difference(reference, observed, [&](int64_t i) {
    int part = 0;
    for (const ComponentRange& range : normwise.ranges(i, observed)) {
      put(set, i, part++, range);
    }
  });
  return set;
}

}  // namespace hlo::conformance
