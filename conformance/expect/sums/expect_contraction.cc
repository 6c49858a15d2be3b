#include "conformance/expect/sums/expect_contraction.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "conformance/expect/sums/contraction_sums.h"
#include "conformance/expect/sums/flushed_factors.h"
#include "conformance/expect/sums/sum_of_terms.h"
#include "conformance/literals/differences.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/sets/sum_class.h"
#include "conformance/sets/sum_range.h"
#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/contraction/contract.h"

namespace hlo::conformance {
namespace {

using numeric::ExactSum;
using numeric::FloatFormat;

constexpr size_t kLanes = 8;

/// The factors that one operand brings to a result element, as magnitudes;
/// 0 where it is padding, and up to a multiple of the lanes.
struct Factors {
  std::vector<double> values;
  int64_t nonzero = 0;
  bool full = false;  // none of them is zero
};

double dot(const Factors& left, const Factors& right) {
  double lanes[kLanes] = {};
  for (size_t k = 0; k < left.values.size(); k += kLanes) {
    const double* l = left.values.data() + k;
    const double* r = right.values.data() + k;
    for (size_t lane = 0; lane < kLanes; ++lane)
      lanes[lane] += l[lane] * r[lane];
  }
  double sum = 0;
  for (const double lane : lanes) sum += lane;
  return sum;
}

int64_t count_terms(const Factors& left, const Factors& right) {
  if (left.full) return right.nonzero;
  if (right.full) return left.nonzero;
  int64_t terms = 0;
  for (size_t k = 0; k < left.values.size(); ++k) {
    terms += left.values[k] * right.values[k] != 0 ? 1 : 0;
  }
  return terms;
}

/// Whether every number of the other format is one of this format, so that
/// nothing depends on whether it is converted.
bool holds(const FloatFormat& format, const FloatFormat& other) {
  const auto least = [](const FloatFormat& f) {
    return f.min_exponent() - f.mantissa_bits;
  };
  const auto most = [](const FloatFormat& f) {
    return numeric::decode(f.max_finite(), f);
  };
  return format.type == other.type ||
         (format.has_infinity() && format.precision() >= other.precision() &&
          least(format) <= least(other) && most(format) >= most(other));
}

/// Sums of magnitudes of a contraction, by plain doubles: fast and a little
/// wrong, to tell elements that are surely within their bound.
class Magnitudes {
 public:
  Magnitudes(const Contraction& contraction, Operands operands)
      : contraction_(contraction),
        lhs_(decoded(operands[0])),
        rhs_(decoded(operands[1])),
        positions_(static_cast<size_t>(contraction.depth)) {}

  struct Sum {
    double magnitude = 0;
    int64_t terms = 0;
  };

  Sum at(int64_t position) {
    int64_t gmn[3] = {0, 0, 0};
    contraction_.locate(position, gmn);
    load_row(gmn[0], gmn[1]);
    const Factors& column = load_column(gmn[0], gmn[2]);
    return {.magnitude = dot(row_, column), .terms = count_terms(row_, column)};
  }

 private:
  // Columns are kept as long as they take little.
  static constexpr int64_t kMaxCached = int64_t{1} << 24;

  static std::vector<double> decoded(const Literal& literal) {
    std::vector<double> values(static_cast<size_t>(literal.element_count()));
    numeric::decode_array(literal.bytes().data(), values.data(),
                          literal.element_count(),
                          numeric::format(literal.type()));
    for (double& value : values) value = std::fabs(value);
    return values;
  }

  /// The values at positions_; a negative position is padding.
  void gather(const std::vector<double>& values, Factors& factors) const {
    const size_t depth = positions_.size();
    factors.values.assign((depth + kLanes - 1) / kLanes * kLanes, 0);
    factors.nonzero = 0;
    for (size_t k = 0; k < depth; ++k) {
      const int64_t at = positions_[k];
      const double value = at < 0 ? 0 : values[static_cast<size_t>(at)];
      factors.values[k] = value;
      factors.nonzero += value != 0 ? 1 : 0;
    }
    factors.full = factors.nonzero == contraction_.depth;
  }

  void load_row(int64_t g, int64_t m) {
    if (g == row_g_ && m == row_m_) return;
    contraction_.lhs(g, m, positions_.data());
    gather(lhs_, row_);
    row_g_ = g;
    row_m_ = m;
  }

  const Factors& load_column(int64_t g, int64_t n) {
    const bool cached = contraction_.columns * contraction_.depth <= kMaxCached;
    if (g != column_g_) {
      columns_.assign(cached ? static_cast<size_t>(contraction_.columns) : 1,
                      {});
      column_g_ = g;
    }
    Factors& column = columns_[cached ? static_cast<size_t>(n) : 0];
    if (column.values.empty() || !cached) {
      contraction_.rhs(g, n, positions_.data());
      gather(rhs_, column);
    }
    return column;
  }

  const Contraction& contraction_;
  std::vector<double> lhs_;
  std::vector<double> rhs_;
  std::vector<int64_t> positions_;
  Factors row_;
  int64_t row_g_ = -1;
  int64_t row_m_ = -1;
  std::vector<Factors> columns_;
  int64_t column_g_ = -1;
};

class ContractionJudge {
 public:
  /// The plan may be null.
  ContractionJudge(const Contraction* plan, const Instruction& instruction,
                   Operands operands, const Profile& profile)
      : instruction_(instruction),
        operands_(operands),
        format_(
            numeric::format(component_type(instruction.shape.element_type))),
        flushed_(plan, instruction, operands, profile),
        errors_(sum_errors(profile, component_type(operands[0].type()))) {
    const ElementType result = instruction.shape.element_type;
    of_terms_ = product_error(operands[0].type(), operands[1].type(), result);
    plain_ = is_float(result) && is_float(operands[0].type()) &&
             is_float(operands[1].type());
    if (plain_ && of_terms_ == 0) {
      quantum_ = int64_t{quantum(operands[0])} + quantum(operands[1]);
    }
    is_default_ = profile == Profile{.level = profile.level};
    may_be_exact_ = plain_ &&
                    conformance::may_be_exact(profile, quantum_, format_) &&
                    (!errors_.flushes || has_normal_quanta());
    errors_.products = true;
    errors_.of_terms = of_terms_;
    if (errors_.flushes) errors_.of_flushed_factors = of_flushed_factors();
    if (plan != nullptr && holds_operands()) {
      sums_.emplace(*plan, operands, result);
    }
  }

  /// One for each reading of the operands that gives a sum of its own, and NaN
  /// where zero for a factor does.
  std::vector<ComponentRange> ranges(int64_t i, int part) {
    std::vector<ComponentRange> all = unflushed_ranges(i, part);
    if (flushed_.are_nan(i, part == 1)) {
      all.push_back(range(sum_of_nan(), 0));
    }
    return all;
  }

  struct Quick {
    ComponentRange range;
    bool outside = false;
  };

  /// The range by plain doubles, a little too narrow or too wide, where that
  /// cannot change whether `actual` is in it.
  std::optional<Quick> quick(uint64_t value, uint64_t actual,
                             const Magnitudes::Sum& sum) const {
    const double v = numeric::decode(value, format_);
    const double error = std::fabs(numeric::decode(actual, format_) - v);
    const double unit = std::ldexp(1.0, -format_.precision());
    const double smallest =
        std::ldexp(1.0, format_.min_exponent() - format_.mantissa_bits);
    const auto n = static_cast<double>(sum.terms);
    const double bound = n * unit * sum.magnitude;
    const double sure = bound * (1 - (n + 2) * 0x1p-52) - unit * std::fabs(v);
    const double most =
        bound * (1 + 0x1p-5) + 4 * unit * std::fabs(v) + (n + 4) * smallest;
    const double largest = numeric::decode(format_.max_finite(), format_);
    const bool decided = error <= sure || error > most;
    if (!decided || may_be_exact(sum.magnitude) || !std::isfinite(error) ||
        !(sum.magnitude + most < largest)) {
      return std::nullopt;
    }
    const double reach = error <= sure ? sure : most;
    return Quick{.range = {.value = value,
                           .low = numeric::encode(v - reach, format_),
                           .high = numeric::encode(v + reach, format_),
                           .nan = false,
                           .empty = n * unit >= 1},
                 .outside = error > most};
  }

  bool is_plain() const { return plain_ && is_default_ && holds_operands(); }

 private:
  /// Whether the result's type has all numbers of the operands', but for digits
  /// of integers.
  bool holds_operands() const {
    return std::ranges::all_of(
        operands_.first(2), [this](const Literal& operand) {
          const ElementType type = component_type(operand.type());
          if (is_float(type)) return holds(format_, numeric::format(type));
          return std::ldexp(1.0, bits(type)) <=
                 numeric::decode(format_.max_finite(), format_);
        });
  }

  /// By the plan where there is one and the operands have no other reading.
  std::vector<ComponentRange> unflushed_ranges(int64_t i, int part) {
    if (sums_) {
      const ContractionSums::Sum found = sums_->at(i, part == 1);
      return {range(found.sum, found.count)};
    }
    const SumOfTerms converted = sum_of(i, part, SumOfTerms::kConverted);
    std::vector<ComponentRange> all = {range(converted)};
    const bool left = converted.is_far(0);
    const bool right = converted.is_far(1);
    if (left) all.push_back(range(sum_of(i, part, {false, true})));
    if (right) all.push_back(range(sum_of(i, part, {true, false})));
    if (left && right) all.push_back(range(sum_of(i, part, {false, false})));
    return all;
  }

  SumOfTerms sum_of(int64_t i, int part,
                    const SumOfTerms::Reading& reading) const {
    const Shape& shape = instruction_.shape;
    SumOfTerms terms(operands_, shape.element_type, part == 1, reading);
    instruction_.op->terms(instruction_, operands_, delinearize(i, shape.dims),
                           [&](const hlo::Term& term) { terms.add(term); });
    return terms;
  }

  ComponentRange range(const SumOfTerms& terms) const {
    return range(terms.sum(), terms.count());
  }

  ComponentRange range(const ExactSum& sum, int64_t terms) const {
    SumErrors errors = errors_;
    errors.of_flushed_factors *= static_cast<double>(terms);
    errors.exact = plain_ && of_terms_ == 0 && may_be_exact_ &&
                   is_exact_class(sum, quantum_, format_);
    return sum_range(sum, format_, errors);
  }

  bool has_normal_quanta() const {
    return std::ranges::all_of(operands_.first(2), [&](const Literal& operand) {
      const FloatFormat& own = numeric::format(component_type(operand.type()));
      return quantum(operand) >= own.min_exponent();
    });
  }

  /// What each product may lose where a factor is flushed, as it is or
  /// converted: the least normal number times the largest finite other factor.
  double of_flushed_factors() const {
    double lost = 0;
    for (size_t k = 0; k < 2; ++k) {
      const Literal& other = operands_[1 - k];
      const ElementType type = component_type(operands_[k].type());
      if (!is_float(type)) continue;  // no integer is subnormal
      lost += std::ldexp(largest_magnitude(other),
                         std::max(numeric::format(type).min_exponent(),
                                  format_.min_exponent()));
    }
    // A part of a complex product has two real ones.
    return 2 * lost * (1 + 0x1p-50);
  }

  static double largest_magnitude(const Literal& literal) {
    if (!is_float(component_type(literal.type()))) {
      return std::ldexp(1.0, bits(literal.type()));  // no integer is larger
    }
    const FloatFormat& format = numeric::format(component_type(literal.type()));
    double largest = 0;
    for (int64_t i = 0; i < literal.element_count(); ++i) {
      for (int part = 0; part < components(literal.type()); ++part) {
        const double x = std::fabs(numeric::decode(
            literal.at(i).bits[static_cast<size_t>(part)], format));
        if (std::isfinite(x)) largest = std::max(largest, x);
      }
    }
    return largest;
  }

  /// Whether the sum may be one that is the same in every order.
  bool may_be_exact(double magnitude) const {
    const int64_t top = quantum_ + format_.precision() + 1;
    return top > 1000 || magnitude <= std::ldexp(1.0, static_cast<int>(top));
  }

  const Instruction& instruction_;
  Operands operands_;
  std::optional<ContractionSums> sums_;
  const FloatFormat& format_;
  FlushedProducts flushed_;
  SumErrors errors_;
  double of_terms_ = 0;
  bool plain_ = false;
  bool is_default_ = true;
  bool may_be_exact_ = true;
  int64_t quantum_ = 0;
};

}  // namespace

Expectation expect_contraction(const Contraction* plan,
                               const Instruction& instruction,
                               Operands operands, const Literal& reference,
                               const Literal* observed,
                               const Profile& profile) {
  ArraySet set = ArraySet::computed(reference);
  if (is_same(reference, observed)) return set;
  ContractionJudge judge(plan, instruction, operands, profile);
  const bool fast = judge.is_plain() && observed != nullptr && plan != nullptr;
  std::optional<Magnitudes> magnitudes;
  if (fast) magnitudes.emplace(*plan, operands);
  constexpr int64_t kShown = 3;
  int64_t outside = 0;
  for_each_difference(reference, observed, [&](int64_t i) {
    if (fast) {
      const auto quick = judge.quick(
          reference.at(i).bits[0], observed->at(i).bits[0], magnitudes->at(i));
      // The first ones outside are shown: their sets are to be exact.
      const bool shown = quick && quick->outside && outside++ < kShown;
      if (quick && !shown) {
        put(set, i, 0, quick->range);
        return;
      }
    }
    for (int part = 0; part < components(reference.type()); ++part) {
      put(set, i, part, judge.ranges(i, part));
    }
  });
  return set;
}

}  // namespace hlo::conformance
