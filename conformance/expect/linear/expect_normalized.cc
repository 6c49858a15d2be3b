// Which errors batch-norms may have in arithmetic of unit u: sums in any order
// (n u times the sum of magnitudes), the variance as the mean of squares less
// the square of the mean or from the differences, the result as (x - m) r s + o
// or as x (s r) + (o - m (s r)). First-order bounds, twice: where the relative
// error of variance + epsilon is at most 1/2, the second-order terms are less
// than the first-order ones, which have units to spare.
//
//     |d mean| <= (n + 2) u A1,       A1 the mean of |x|
//     |d variance| <= (4 n + 16) u A2, A2 the mean of x^2: (n + 2) u A2 of the
//         squares, 2 (n + 2) u A1 |mean| <= 2 (n + 2) u A2 of the mean's, and
//         roundings of both squares and of their difference; from differences
//         less, where (n + 16) u <= 1/4
//     1/sqrt(V (1 + d)), |d| <= 1/2, is off by less than |d|
// Products that underflow are off by the least subnormal, which the other
// factor multiplies: s r, a subnormal, by x. Where subnormal numbers may count
// as zero, each number may lose the least normal one instead, operands too, up
// to 8 times on the way, and the others multiply that.
#include "conformance/expect/linear/expect_normalized.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "conformance/sets/sum_range.h"
#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/linear/batch_norm.h"
#include "interpreter/rules/epsilon.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;
using Values = std::vector<double>;

/// Writes around each code of a leaf how far a result may be from it.
class Leaf {
 public:
  explicit Leaf(const Literal& reference)
      : set_(ArraySet::computed(reference)),
        format_(numeric::format(reference.type())) {}

  /// Anything where the error is no number.
  void put(int64_t i, double error) {
    const uint64_t code = set_.value.at(i).bits[0];
    const double value = numeric::decode(code, format_);
    if (!std::isfinite(value) || !std::isfinite(error)) {
      conformance::put(set_, i, 0, whole_range(code, format_));
      return;
    }
    numeric::ExactSum sum;
    sum.add(value);
    const double rounding = std::ldexp(std::fabs(value), -format_.precision());
    ComponentRange range = range_around(
        sum, (error + rounding) * (1 + 0x1p-20) + least(), format_);
    range.value = code;
    conformance::put(set_, i, 0, range);
  }

  ArraySet take() { return std::move(set_); }

 private:
  double least() const {
    return std::ldexp(1.0, format_.min_exponent() - format_.mantissa_bits);
  }

  ArraySet set_;
  const FloatFormat& format_;
};

/// The arithmetic of a backend: that of the coarsest type there is.
struct Arithmetic {
  double unit = 0;
  double least = 0;        // the subnormal number
  double flushed = 0;      // what zero for a subnormal number takes
  double most = HUGE_VAL;  // from which on something may overflow

  Arithmetic(Operands operands, const Profile& profile) {
    for (const Literal& operand : operands) {
      const FloatFormat& format = numeric::format(operand.type());
      unit = std::max(unit, std::ldexp(1.0, -format.precision()));
      least = std::max(
          least, std::ldexp(1.0, format.min_exponent() - format.mantissa_bits));
      if (flushes(profile)) {
        flushed = std::max(flushed, std::ldexp(8.0, format.min_exponent()));
      }
      most = std::min(most, numeric::decode(format.max_finite(), format) / 4);
    }
    least = std::max(least, flushed);
  }
};

/// variance + epsilon and how well its root is known.
struct Root {
  double variance = 0;
  double inverse = 0;   // 1 / root
  double relative = 0;  // error of that; infinite where nothing is known

  Root(const Extended& exact, double error, double magnitude,
       const Arithmetic& a) {
    if (!exact.is_number() || exact.sign() <= 0) {
      relative = HUGE_VAL;
      return;
    }
    variance = exact.value.get_d();
    inverse = 1 / std::sqrt(variance);
    const double off = (error + 2 * a.unit * magnitude + a.least) / variance;
    relative = off <= 0.5 ? off + 16 * a.unit : HUGE_VAL;
  }
};

/// The magnitudes of one feature's elements.
struct Magnitudes {
  double sum = 0;      // of |x|
  double squares = 0;  // of x^2
  double largest = 0;

  explicit Magnitudes(std::span<const double> x) {
    for (const double value : x) {
      sum += std::fabs(value);
      squares += value * value;
      largest = std::max(largest, std::fabs(value));
    }
  }
};

double within(double reached, double error, const Arithmetic& a) {
  return reached < a.most ? 2 * error : HUGE_VAL;
}

/// The error of (x - mean) scale / root + offset.
double normalized_error(double x, double mean, double mean_error, double scale,
                        double offset, const Root& root, const Arithmetic& a) {
  const double factor = std::fabs(scale) * root.inverse;
  const double size = std::fabs(x) + std::fabs(mean);
  const double error =
      factor * (size * root.relative + 2 * mean_error) +
      8 * a.unit * std::fabs(offset) +
      8 * a.least * (1 + std::fabs(scale) + root.inverse + factor + size) +
      8 * a.flushed * size * root.inverse;
  const double reached =
      std::max({size * std::max({factor, std::fabs(scale), root.inverse, 1.0}),
                factor, std::fabs(offset), root.variance});
  return within(reached + std::fabs(offset), error, a);
}

std::vector<Expectation> taken(std::vector<Leaf>& leaves) {
  std::vector<Expectation> sets;
  sets.reserve(leaves.size());
  for (Leaf& leaf : leaves) sets.emplace_back(leaf.take());
  return sets;
}

struct Judge {
  const Instruction& norm;
  const Arithmetic arithmetic;
  const Features features;
  const Extended epsilon;
  std::vector<Values> values = {};  // of the operands
  std::vector<Leaf> leaves = {};

  Judge(const Instruction& instruction, Operands operands,
        const std::vector<Literal>& reference, const Profile& profile)
      : norm(instruction),
        arithmetic(operands, profile),
        features(features_of(instruction, operands[0])),
        epsilon(Extended::of(epsilon_of(instruction))) {
    for (const Literal& operand : operands) values.push_back(decoded(operand));
    for (const Literal& leaf : reference) leaves.emplace_back(leaf);
  }

  Values feature(size_t operand, int64_t f) const {
    return gather(features, {.first = f, .count = 1}, values[operand]);
  }

  double of(size_t operand, int64_t f) const {
    return values[operand][static_cast<size_t>(f)];
  }

  int64_t place(int64_t f, size_t i) const {
    return features.places[i] + f * features.stride;
  }

  void training(int64_t f) {
    const Values x = feature(0, f);
    const auto n = static_cast<double>(x.size());
    const Magnitudes sizes(x);
    const Moments moments = moments_of(x);
    const double u = arithmetic.unit;
    const bool few = (n + 16) * u <= 0.25 && sizes.squares < arithmetic.most &&
                     sizes.sum < arithmetic.most && moments.mean.is_number();
    const double h = n * arithmetic.least;
    const double mean_error = few ? (n + 2) * u * sizes.sum / n + h : HUGE_VAL;
    const double variance_error =
        few ? (4 * n + 16) * u * sizes.squares / n + h * (2 + sizes.largest)
            : HUGE_VAL;
    leaves[1].put(f, 2 * mean_error);
    leaves[2].put(f, 2 * variance_error);
    const double mean = moments.mean.value.get_d();
    const Root root(moments.variance + epsilon, variance_error,
                    sizes.squares / n + std::fabs(epsilon.value.get_d()),
                    arithmetic);
    for (size_t i = 0; i < x.size(); ++i) {
      leaves[0].put(place(f, i),
                    normalized_error(x[i], mean, mean_error, of(1, f), of(2, f),
                                     root, arithmetic));
    }
  }

  Root given_root(size_t variance, int64_t f) const {
    const Extended exact = Extended::of(of(variance, f));
    return {exact + epsilon, 0,
            std::fabs(of(variance, f)) + std::fabs(epsilon.value.get_d()),
            arithmetic};
  }

  void inference(int64_t f) {
    const Values x = feature(0, f);
    const Root root = given_root(4, f);
    for (size_t i = 0; i < x.size(); ++i) {
      leaves[0].put(place(f, i), normalized_error(x[i], of(3, f), 0, of(1, f),
                                                  of(2, f), root, arithmetic));
    }
  }

  void gradient(int64_t f) {
    const Values x = feature(0, f);
    const Values dy = feature(4, f);
    const auto n = static_cast<double>(x.size());
    const double mean = std::fabs(of(2, f));
    const double scale = std::fabs(of(1, f));
    const Root root = given_root(3, f);
    double moved = 0;   // the sum of |dy| (|x| + |mean|)
    double places = 0;  // the sum of |x| + |mean|
    for (size_t i = 0; i < x.size(); ++i) {
      moved += std::fabs(dy[i]) * (std::fabs(x[i]) + mean);
      places += std::fabs(x[i]) + mean;
    }
    const double given = Magnitudes(dy).sum;
    const double flushed = arithmetic.flushed * root.inverse;
    const double sums = (n + 16) * arithmetic.unit + root.relative;
    const double h = 8 * (n + 8) * arithmetic.least * (1 + root.inverse) *
                     (1 + root.inverse / root.variance) * (1 + scale) *
                     (1 + mean);
    const double reached = std::max(
        {moved, given, root.inverse, moved * root.inverse, root.variance});
    leaves[1].put(
        f, within(reached,
                  moved * root.inverse * sums + h + flushed * (places + given),
                  arithmetic));
    leaves[2].put(
        f,
        within(given, (n + 2) * arithmetic.unit * given + n * arithmetic.least,
               arithmetic));
    for (size_t i = 0; i < x.size(); ++i) {
      const double size = std::fabs(x[i]) + mean;
      const double terms =
          n * std::fabs(dy[i]) + given + size * moved / root.variance;
      const double error =
          scale * root.inverse * terms / n * 3 * sums + h * (1 + size + terms) +
          flushed * scale *
              (2 + (size * (places + given) + moved) / root.variance / n);
      const double most =
          std::max({reached, terms * std::max(1.0, scale),
                    scale * root.inverse * terms, moved / root.variance, size});
      leaves[0].put(place(f, i), within(most, error, arithmetic));
    }
  }
};

using Rule = void (Judge::*)(int64_t feature);

/// Training makes mean and variance, too, of x, scale and offset; inference is
/// given both, and so are gradients, which are three. Null for others.
Rule rule_for(size_t operands, size_t results) {
  if (operands == 3 && results == 3) return &Judge::training;
  if (operands == 5 && results == 1) return &Judge::inference;
  return operands == 5 && results == 3 ? &Judge::gradient : nullptr;
}

}  // namespace

std::vector<Expectation> expect_normalized(
    const Instruction& norm, Operands operands,
    const std::vector<Literal>& reference, const std::vector<Literal>* observed,
    const Profile& profile) {
  const Rule rule = rule_for(operands.size(), reference.size());
  if (rule == nullptr) {
    return std::vector<Expectation>(
        reference.size(),
        UnspecifiedSet{"there is no rule for the operands of " +
                       std::string(norm.op->name)});
  }
  Judge judge(norm, operands, reference, profile);
  const bool same = observed != nullptr &&
                    std::ranges::equal(reference, *observed, identical);
  for (int64_t f = 0; f < judge.features.count && !same; ++f) {
    (judge.*rule)(f);
  }
  return taken(judge.leaves);
}

}  // namespace hlo::conformance
