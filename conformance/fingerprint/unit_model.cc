#include "conformance/fingerprint/unit_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

constexpr int kDoublePrecision = 53;
constexpr int kNone = std::numeric_limits<int>::min();

double error_of_product(double a, double b) {
  const double product = a * b;
  return std::isfinite(product) ? std::fma(a, b, -product) : 0;
}

/// The format whose results a unit's exact sums are rounded to.
ElementType type_of(int precision) {
  if (precision <= 8) return ElementType::kBF16;
  if (precision <= 11) return ElementType::kF16;
  return precision <= 24 ? ElementType::kF32 : ElementType::kF64;
}

double rounded_sum(const numeric::ExactSum& sum, const UnitFormat& format,
                   ElementType result) {
  const bool is_result =
      numeric::format(result).precision() == format.precision;
  const auto& row =
      numeric::format(is_result ? result : type_of(format.precision));
  const double value = numeric::decode(sum.round(row).bits, row);
  const bool tiny = std::fabs(value) < std::ldexp(1, row.min_exponent());
  return format.flushes && tiny ? std::copysign(0, value) : value;
}

}  // namespace

UnitSimulator::UnitSimulator(const UnitModel& model)
    : model_(model),
      terms_(static_cast<size_t>(model.tree.terms())),
      values_(model.tree.nodes().size()),
      rounds_(model.tree.nodes().size()) {
  find_rounded_rest();
}

void UnitSimulator::find_rounded_rest() {
  const SummationTree& tree = model_.tree;
  const auto is_sum = [&](int child) { return !tree.is_leaf(child); };
  if (model_.rest == RoundedRest::kLast) {
    for (const int child : tree.nodes().back().children) {
      rounds_[static_cast<size_t>(child)] = is_sum(child);
    }
  }
  if (model_.rest != RoundedRest::kAfterJoins) return;
  for (size_t node = 0; node < rounds_.size(); ++node) {
    const auto& children = tree.nodes()[node].children;
    rounds_[node] = std::ranges::count_if(children, is_sum) > 1 ||
                    std::ranges::any_of(children, [&](int child) {
                      return rounds_[static_cast<size_t>(child)];
                    });
  }
}

double UnitSimulator::sum(std::span<const double> a,
                          std::span<const double> b) {
  a_ = a;
  b_ = b;
  const int pieces = model_.operands.pieces;
  if (pieces == 1) return output(tree_sum(0, 0));
  double total = 0;
  bool first = true;
  for (int order = pieces - 1; order >= 0; --order) {
    for (int i = order; i >= 0; --i) {
      const double part = tree_sum(i, order - i);
      total = first ? part : add_unit(total, part, model_.join);
      first = false;
    }
  }
  return output(total);
}

/// The part of that number of an operand.
double UnitSimulator::piece(double operand, int index) const {
  const OperandRule& rule = model_.operands;
  const auto& row = numeric::format(model_.operand);
  const bool tiny = std::fabs(operand) < std::ldexp(1, row.min_exponent());
  if (rule.flushes && tiny) operand = std::copysign(0, operand);
  if (rule.precision >= row.precision()) return operand;
  const UnitFormat format{.precision = rule.precision,
                          .min_exponent = row.min_exponent(),
                          .rounding = rule.rounding,
                          .flushes = false};
  double part = round_unit(operand, 0, format);
  for (int i = 0; i < index; ++i) {
    operand -= part;
    part = round_unit(operand, 0, format);
  }
  return part;
}

double UnitSimulator::tree_sum(int piece_of_a, int piece_of_b) {
  for (size_t i = 0; i < terms_.size(); ++i) {
    terms_[i] = {piece(a_[i], piece_of_a), piece(b_[i], piece_of_b)};
  }
  const int root = model_.tree.root();
  if (model_.tree.is_leaf(root)) return first_term(root, model_.step);
  for (int node = 0; node <= root; ++node) {
    if (model_.tree.is_leaf(node)) continue;
    values_[static_cast<size_t>(node)] = node_sum(node);
  }
  return values_.back();
}

const UnitSimulator::Term& UnitSimulator::term_of(int leaf) const {
  return terms_[static_cast<size_t>(model_.tree.at(leaf).first)];
}

double UnitSimulator::node_sum(int node) {
  const std::vector<int>& children = model_.tree.at(node).children;
  if (children.size() > 2) return block_sum(children);
  const bool has_term =
      model_.tree.is_leaf(children[0]) || model_.tree.is_leaf(children[1]);
  return two(children[0], children[1], has_term ? model_.step : model_.join);
}

/// The value of a node; a term by itself is a rounded product.
double UnitSimulator::term(int node, const UnitFormat& format) const {
  if (!model_.tree.is_leaf(node)) return values_[static_cast<size_t>(node)];
  const Term& factors = term_of(node);
  const bool rounded = model_.products == Products::kRounded ||
                       model_.rest != RoundedRest::kNone;
  return multiply_unit(factors.a, factors.b, rounded ? model_.product : format);
}

/// The value of a node to which others are added.
double UnitSimulator::first_term(int node, const UnitFormat& format) const {
  const double value = term(node, format);
  if (!model_.tree.is_leaf(node)) return value;
  // A fused product that is flushed was no zero when +0 was added.
  const bool rounded = model_.products == Products::kRounded &&
                       model_.zero_start != ZeroStart::kFusedChains;
  return rounded || term_of(node).is_zero() ? started(value) : value;
}

/// The sum of the terms that come first.
double UnitSimulator::started(double sum) const {
  const bool adds = model_.zero_start != ZeroStart::kNone &&
                    model_.zero_start != ZeroStart::kEnd;
  return adds ? sum + 0.0 : sum;
}

double UnitSimulator::fused(double sum, const Term& term,
                            const UnitFormat& format) {
  const double error = error_of_product(term.a, term.b);
  if (error == 0) return add_unit(sum, term.a * term.b, format);
  const double fused = std::fma(term.a, term.b, sum);
  return format.precision >= kDoublePrecision
             ? round_unit(fused, 0, format)
             : add_unit(sum, term.a * term.b, format);
}

/// Two exact products, added.
double UnitSimulator::two_terms(const Term& a, const Term& b,
                                const UnitFormat& format) const {
  const bool are_doubles =
      error_of_product(a.a, a.b) == 0 && error_of_product(b.a, b.b) == 0;
  if (are_doubles) return add_unit(a.a * a.b, b.a * b.b, format);
  numeric::ExactSum sum;
  sum.add_product(a.a, a.b);
  sum.add_product(b.a, b.b);
  return rounded_sum(sum, format, model_.result);
}

/// Whether a term is added to another node as an exact product.
bool UnitSimulator::is_fused(int term, int other) const {
  if (!model_.tree.is_leaf(term)) return false;
  if (model_.products == Products::kRounded) return false;
  return !rounds_[static_cast<size_t>(other)];
}

double UnitSimulator::two(int first, int second,
                          const UnitFormat& format) const {
  const bool both = model_.tree.is_leaf(first) && model_.tree.is_leaf(second);
  if (both && model_.products == Products::kExact) {
    const double sum = two_terms(term_of(first), term_of(second), format);
    const bool zeros = term_of(first).is_zero() && term_of(second).is_zero();
    return zeros ? started(sum) : sum;
  }
  const bool earlier = both && model_.products == Products::kFusedEarlier;
  if (is_fused(second, first) && !earlier) {
    return fused(first_term(first, format), term_of(second), format);
  }
  if (is_fused(first, second)) {
    return fused(first_term(second, format), term_of(first), format);
  }
  const bool joins = model_.zero_start == ZeroStart::kJoins;
  double sum = both ? first_term(first, format) : term(first, format);
  if (joins && !model_.tree.is_leaf(second)) sum += 0.0;
  return add_unit(sum, term(second, format), format);
}

double UnitSimulator::exact_sum(const std::vector<int>& children) const {
  numeric::ExactSum sum;
  for (const int child : children) {
    if (model_.tree.is_leaf(child) && model_.products != Products::kRounded) {
      sum.add_product(term_of(child).a, term_of(child).b);
    } else {
      sum.add(term(child, model_.block.result));
    }
  }
  const double rounded = rounded_sum(sum, model_.block.result, model_.result);
  // What is too small for the format is no zero when +0 is added.
  return sum.terms() == 0 ? started(rounded) : rounded;
}

/// A term of a block, and the exponent that it is aligned by; kNone of zeros.
UnitSimulator::Addend UnitSimulator::addend(int child) const {
  const bool exact =
      model_.tree.is_leaf(child) && model_.products != Products::kRounded;
  const Term factors = exact ? term_of(child) : Term();
  const double value =
      exact ? factors.a * factors.b : term(child, model_.block.result);
  if (value == 0) return {value, kNone};
  const bool by_factors =
      exact && model_.block.alignment == Alignment::kFactors;
  return {value, by_factors ? exponent_of(factors.a) + exponent_of(factors.b)
                            : exponent_of(value)};
}

/// The terms cut off at a multiple of the largest one's last bit, added, and
/// rounded.
double UnitSimulator::block_sum(const std::vector<int>& children) const {
  const BlockRule& rule = model_.block;
  if (rule.fraction >= BlockRule::kExact) return exact_sum(children);
  std::vector<double> addends;
  int largest = kNone;
  for (const int child : children) {
    const Addend own = addend(child);
    addends.push_back(own.value);
    largest = std::max(largest, own.exponent);
  }
  if (largest == kNone) {
    double zero = addends.front();
    for (const double addend : addends) zero += addend;
    return started(zero);
  }
  const int unit = largest - rule.fraction;
  int64_t sum = 0;
  for (const double addend : addends) {
    const double units = std::ldexp(addend, -unit);
    sum += static_cast<int64_t>(rule.floors ? std::floor(units)
                                            : std::trunc(units));
  }
  const auto high = static_cast<double>(sum);
  const auto low = static_cast<double>(sum - static_cast<int64_t>(high));
  return round_unit(std::ldexp(high, unit), std::ldexp(low, unit), rule.result);
}

double UnitSimulator::output(double sum) const {
  const bool adds = model_.zero_start == ZeroStart::kEnd ||
                    model_.zero_start == ZeroStart::kBoth;
  if (adds) sum += 0.0;
  const auto& row = numeric::format(model_.result);
  const UnitFormat format{.precision = row.precision(),
                          .min_exponent = row.min_exponent(),
                          .rounding = model_.output,
                          .flushes = false};
  if (row.precision() >= kDoublePrecision) return sum;
  // Beyond the largest number encode() knows what to return.
  return numeric::decode(numeric::encode(round_unit(sum, 0, format), row), row);
}

}  // namespace hlo::conformance
