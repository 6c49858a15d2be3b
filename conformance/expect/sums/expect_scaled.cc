#include "conformance/expect/sums/expect_scaled.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/expect/sums/expect_contraction.h"
#include "conformance/expect/sums/expect_fold.h"
#include "conformance/expect/sums/flushed_factors.h"
#include "conformance/literals/differences.h"
#include "conformance/sets/sum_class.h"
#include "conformance/sets/sum_range.h"
#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using numeric::ExactSum;
using numeric::FloatFormat;

/// A factor with its scale: of types whose products double has exactly.
struct Side {
  double factor = 0;
  std::optional<double> scale;
};

using Sides = std::array<Side, 2>;

/// What of a side is converted to the type of the result, a bit for each; the
/// bits of the side on the right stand above those of the other one.
enum : unsigned { kFactor = 1, kScale = 2, kProduct = 4 };

constexpr unsigned kBitsOfSide = 3;
constexpr unsigned kReadings = 1U << (2 * kBitsOfSide);

/// The terms of one element, and their sums by all readings.
class Readings {
 public:
  Readings(const FloatFormat& format, std::vector<Sides> terms)
      : format_(format), terms_(std::move(terms)) {}

  const std::vector<Sides>& terms() const { return terms_; }

  /// The exact sum, and those where conversion makes more of a number than a
  /// rounding does.
  std::vector<ExactSum> sums() {
    std::vector<ExactSum> found;
    std::array<bool, kReadings> done{};
    for (unsigned known = kReadings; known != far_;) {
      known = far_;
      for (unsigned reading = 0; reading < kReadings; ++reading) {
        if ((reading & ~known) != 0 || done.at(reading)) continue;
        found.push_back(sum(reading));
        done.at(reading) = true;
      }
    }
    return found;
  }

 private:
  ExactSum sum(unsigned reading) {
    ExactSum sum;
    sum.add(0.0);
    for (const auto& [left, right] : terms_) {
      sum.add_product(number(left, reading, 0),
                      number(right, reading, kBitsOfSide));
    }
    return sum;
  }

  double number(const Side& side, unsigned reading, unsigned shift) {
    const auto read = [&](double x, unsigned which) {
      const double y = numeric::decode(numeric::encode(x, format_), format_);
      if (is_far(x, y, format_)) far_ |= which << shift;
      return (reading & (which << shift)) != 0 ? y : x;
    };
    const double factor = read(side.factor, kFactor);
    if (!side.scale) return factor;
    return read(factor * read(*side.scale, kScale), kProduct);
  }

  const FloatFormat& format_;
  std::vector<Sides> terms_;
  unsigned far_ = 0;  // what conversion changes in some reading
};

double real(const Literal& operand, const Index& index) {
  return numeric::decode(operand.at(index).bits[0],
                         numeric::format(operand.type()));
}

std::vector<Sides> terms_of(const Instruction& dot, Operands operands,
                            const Index& element) {
  std::vector<Sides> terms;
  dot.op->terms(dot, operands, element, [&](const hlo::Term& term) {
    Sides sides;
    sides[0].factor = real(operands[0], term.lhs);
    sides[1].factor = real(operands[1], term.rhs);
    for (const auto& [operand, index] : term.scales) {
      const auto scale = static_cast<size_t>(operand);
      sides.at(scale - 2).scale = real(operands[scale], index);
    }
    terms.push_back(sides);
  });
  return terms;
}

/// How many of the factors, scales and products of both sides the type of the
/// result may have to round.
int roundings(Operands operands, const FloatFormat& format) {
  const auto precision = [&](size_t operand) {
    return numeric::format(operands[operand].type()).precision();
  };
  int count = 0;
  for (size_t side = 0; side < 2; ++side) {
    const int own = precision(side);
    count += own > format.precision() ? 1 : 0;
    if (operands[side + 2].shape().dims.empty()) continue;
    const int scale = precision(side + 2);
    const int product = own + scale - (std::min(own, scale) == 1 ? 1 : 0);
    count += scale > format.precision() ? 1 : 0;
    count += product > format.precision() ? 1 : 0;
  }
  return count;
}

/// (1 + u)^count - 1, upward: a bound is no less than it.
double share_of(int count, double u) {
  double share = 0;
  for (int k = 0; k < count; ++k) {
    share = std::nextafter(share + u * (1 + share), 1.0);
  }
  return share;
}

/// The least normal number of the type, or of that which it is converted to.
double least_normal(const Literal& operand, const FloatFormat& format) {
  const FloatFormat& own = numeric::format(operand.type());
  return std::ldexp(1.0, std::max(own.min_exponent(), format.min_exponent()));
}

double largest(const Literal& operand) {
  const FloatFormat& format = numeric::format(operand.type());
  double found = 0;
  for (int64_t i = 0; i < operand.element_count(); ++i) {
    const double x = std::fabs(numeric::decode(operand.at(i).bits[0], format));
    if (std::isfinite(x)) found = std::max(found, x);
  }
  return found;
}

/// What a term may lose where a factor, a scale or their product is flushed:
/// the least normal number times the largest of all others, four times, as
/// these may be rounded upward.
double of_flushed_numbers(Operands operands, const FloatFormat& format) {
  std::array<double, 2> lost{};
  std::array<double, 2> most{};
  for (size_t side = 0; side < 2; ++side) {
    const Literal& factors = operands[side];
    const Literal& scales = operands[side + 2];
    const double factor = largest(factors);
    const double flushed = least_normal(factors, format);
    const bool has_scale = !scales.shape().dims.empty();
    const double scale = has_scale ? largest(scales) : 1;
    most.at(side) = factor * scale;
    lost.at(side) = flushed * scale;
    if (!has_scale) continue;
    lost.at(side) += least_normal(scales, format) * factor +
                     std::ldexp(1.0, format.min_exponent());
  }
  return 4 * (lost[0] * most[1] + lost[1] * most[0]) * (1 + 0x1p-50);
}

/// How a factor and its scale may count.
struct SideReading {
  FactorReading product;
  bool nan = false;
};

SideReading reading_of(const Side& side, Operands operands, size_t k,
                       const FactorReadings& readings) {
  const FactorReading factor = readings.of(side.factor, operands[k].type());
  if (!side.scale) return {factor};
  const FactorReading scale = readings.of(*side.scale, operands[k + 2].type());
  const FactorReading both = readings.of_computed(side.factor * *side.scale);
  return {.product = {.zero = factor.zero || scale.zero || both.zero,
                      .infinite =
                          factor.infinite || scale.infinite || both.infinite},
          .nan = may_be_nan(factor, scale)};
}

/// Whether zero for a subnormal number makes NaN of a product.
bool flushes_to_nan(const std::vector<Sides>& terms, Operands operands,
                    const FactorReadings& readings) {
  return std::ranges::any_of(terms, [&](const Sides& sides) {
    const SideReading left = reading_of(sides[0], operands, 0, readings);
    const SideReading right = reading_of(sides[1], operands, 1, readings);
    return left.nan || right.nan || may_be_nan(left.product, right.product);
  });
}

}  // namespace

Expectation expect_scaled(const Instruction& dot, Operands operands,
                          const Literal& reference, const Literal* observed,
                          const Profile& profile) {
  ArraySet set = ArraySet::computed(reference);
  if (reference.element_count() == 0 || is_same(reference, observed)) {
    return set;
  }
  const FloatFormat& format = numeric::format(reference.type());
  SumErrors errors = sum_errors(profile, operands[0].type());
  errors.products = true;
  errors.of_terms = share_of(roundings(operands, format),
                             std::ldexp(1.0, -format.precision()));
  const double flushed =
      errors.flushes ? of_flushed_numbers(operands, format) : 0;
  const FactorReadings factors(profile, format);
  for_each_difference(reference, observed, [&](int64_t i) {
    Readings readings(format,
                      terms_of(dot, operands, delinearize(i, dot.shape.dims)));
    errors.of_flushed_factors =
        flushed * static_cast<double>(readings.terms().size());
    std::vector<ComponentRange> ranges;
    for (const ExactSum& sum : readings.sums()) {
      ranges.push_back(sum_range(sum, format, errors));
    }
    if (flushes_to_nan(readings.terms(), operands, factors)) {
      ranges.push_back(sum_range(sum_of_nan(), format, errors));
    }
    put(set, i, 0, ranges);
  });
  return set;
}

}  // namespace hlo::conformance
