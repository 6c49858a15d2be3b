#include "conformance/expect/order/selection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "interpreter/numeric/format/float_codes.h"

// What a region that only compares components of its rows, each with the same
// one of the other row, and chooses by the answers does to rows depends on how
// their components compare. Three rows, which is all that laws of an order
// speak of, compare as three rows of a few values of each type do: so all of
// these are tried.
namespace hlo::conformance {
namespace {

/// What is compared in a region: a component of its rows, or none, of a truth
/// that follows.
constexpr int64_t kTruth = -1;
/// Rows that are tried; their pairs are compiled runs of the region.
constexpr size_t kMaxRows = 600;

struct Component {
  ElementType type;
  bool by_number = false;  // compared, or the maximum taken, as numbers
  bool by_code = false;    // by the total order of codes
};

/// Finds out whether a region only compares and chooses.
class Reading {
 public:
  /// The components of rows; nothing of other regions.
  std::optional<std::vector<Component>> read(const Computation& region) {
    const size_t n = region.parameters.size() / 2;
    if (n == 0 || region.parameters.size() % 2 != 0) return std::nullopt;
    for (size_t k = 0; k < region.parameters.size(); ++k) {
      const Shape& shape = region.parameters[k]->shape;
      if (!shape.is_scalar() || is_complex(shape.element_type) ||
          shape.element_type != region.parameters[k % n]->shape.element_type) {
        return std::nullopt;
      }
      components_.push_back({.type = shape.element_type});
      of_[region.parameters[k]] = static_cast<int64_t>(k % n);
    }
    components_.resize(n);
    for (const auto& instruction : region.instructions) {
      if (!follow(*instruction, instruction.get() == region.root)) {
        return std::nullopt;
      }
    }
    return components_;
  }

 private:
  bool follow(const Instruction& instruction, bool is_root) {
    const Op& op = *instruction.op;
    if (op.form == Form::kParameter) return true;
    if (op.form == Form::kTuple) return is_root;
    if (op.element == nullptr || !instruction.shape.is_scalar()) return false;
    const auto found = compute(instruction);
    if (found) of_[&instruction] = *found;
    return found.has_value();
  }

  /// The component that the value is one of, or kTruth.
  std::optional<int64_t> compute(const Instruction& instruction) {
    const auto& operands = instruction.operands;
    const Op& op = *instruction.op;
    const bool truths = std::ranges::all_of(operands, [](const auto* operand) {
      return operand->shape.element_type == ElementType::kPred;
    });
    if (op.facts.behaviour.kind == Behaviour::Kind::kSelect) {
      return same(*operands[1], *operands[2]);
    }
    if (truths) return kTruth;
    if (operands.size() != 2) return std::nullopt;
    const std::optional<int64_t> k = same(*operands[0], *operands[1]);
    if (!k || *k == kTruth) return std::nullopt;
    Component& component = components_[static_cast<size_t>(*k)];
    if (op.facts.behaviour.kind == Behaviour::Kind::kCompare) {
      const bool total =
          instruction.get_or<Word>("type", {}).value == "TOTALORDER";
      (total ? component.by_code : component.by_number) = true;
      return kTruth;
    }
    component.by_number = true;
    const bool chooses =
        op.reducer == Reducer::kMaximum || op.reducer == Reducer::kMinimum;
    return chooses ? k : std::nullopt;
  }

  std::optional<int64_t> same(const Instruction& a, const Instruction& b) {
    if (of_.at(&a) != of_.at(&b)) return std::nullopt;
    return of_.at(&a);
  }

  std::vector<Component> components_;
  std::map<const Instruction*, int64_t> of_;
};

/// The codes once each, those of NaN left out.
std::vector<Scalar> samples(ElementType type, std::span<const double> values) {
  const numeric::FloatFormat& format = numeric::format(type);
  std::vector<Scalar> found;
  for (const double value : values) {
    const Scalar sample{type, {numeric::encode(value, format), 0}};
    if (numeric::is_nan(sample.bits[0], format)) continue;
    if (std::ranges::count(found, sample) == 0) found.push_back(sample);
  }
  return found;
}

std::vector<Scalar> samples_of_integers(ElementType type) {
  const uint64_t count = type == ElementType::kPred ? 2 : 3;
  std::vector<Scalar> found;
  for (uint64_t code = 0; code < count; ++code) {
    found.push_back({type, {code, 0}});
  }
  return found;
}

/// Values among which any three of the type find three that compare alike:
/// numbers, zeros and NaNs. Nothing where a component is compared in two ways.
std::vector<Scalar> samples(const Component& component,
                            const Specials& specials) {
  const ElementType type = component.type;
  if (!is_float(type)) return samples_of_integers(type);
  if (component.by_code && component.by_number) return {};
  if (component.by_code || !component.by_number) {
    return samples(type, std::array{1.0, 2.0, 4.0});
  }
  const double zero = specials.minus_zero ? -0.0 : 0.0;
  std::vector<Scalar> found =
      samples(type, std::array{-1.0, zero, 0.0, 1.0, 2.0, 4.0});
  const numeric::FloatFormat& format = numeric::format(type);
  if (specials.nan && format.has_nan()) {
    found.push_back({type, {format.quiet_nan(), 0}});
    found.push_back({type, {numeric::nan_code(true, format), 0}});
  }
  return found;
}

/// Every row of the components' samples.
Rows sample_rows(const std::vector<Component>& components,
                 const Specials& specials) {
  Rows rows = {{}};
  for (const Component& component : components) {
    const std::vector<Scalar> values = samples(component, specials);
    Rows longer;
    for (const Row& row : rows) {
      for (const Scalar& value : values) {
        longer.push_back(row);
        longer.back().push_back(value);
      }
    }
    rows = std::move(longer);
    if (rows.empty() || rows.size() > kMaxRows) return {};
  }
  return rows;
}

bool are_equal(const Scalar& a, const Scalar& b) {
  if (a == b || !is_float(a.type)) return a == b;
  const numeric::FloatFormat& format = numeric::format(a.type);
  const bool nan = numeric::is_nan(a.bits[0], format);
  if (nan || numeric::is_nan(b.bits[0], format)) {
    return nan && numeric::is_nan(b.bits[0], format);
  }
  return numeric::decode(a.bits[0], format) ==
         numeric::decode(b.bits[0], format);
}

/// Which of the two rows may be returned.
struct Winners {
  bool first = false;
  bool second = false;
};

/// The region on all pairs of sample rows.
class Laws {
 public:
  Laws(const RowRegion& region, Rows rows, RowEquality equality)
      : region_(region), rows_(std::move(rows)), equality_(equality) {}

  /// Whether it returns one of two rows, by a weak order.
  bool hold() {
    for (const Row& a : rows_) {
      for (const Row& b : rows_) {
        if (!add(a, b)) return false;
      }
    }
    return is_transitive();
  }

 private:
  bool add(const Row& a, const Row& b) {
    const Row ab = region_.join(a, b);
    const Row ba = region_.join(b, a);
    const Winners found{.first = equal(ab, a) || equal(ba, a),
                        .second = equal(ab, b) || equal(ba, b)};
    winners_.push_back(found);
    return (equal(ab, a) || equal(ab, b)) && (equal(ba, a) || equal(ba, b));
  }

  bool equal(const Row& a, const Row& b) const {
    return conformance::are_equal(a, b, equality_);
  }

  /// Whether row a is at least as great as row b.
  bool is_great(size_t a, size_t b) const {
    return winners_[a * rows_.size() + b].first;
  }

  bool is_transitive() const {
    for (size_t a = 0; a < rows_.size(); ++a) {
      for (size_t b = 0; b < rows_.size(); ++b) {
        if (!is_great(a, b)) continue;
        for (size_t c = 0; c < rows_.size(); ++c) {
          if (is_great(b, c) && !is_great(a, c)) return false;
        }
      }
    }
    return true;
  }

  const RowRegion& region_;
  Rows rows_;
  RowEquality equality_;
  std::vector<Winners> winners_;  // of rows a and b, a by a
};

}  // namespace

bool are_equal(const Row& a, const Row& b, RowEquality equality) {
  if (equality == RowEquality::kBits) return a == b;
  return std::ranges::equal(
      a, b, [](const Scalar& x, const Scalar& y) { return are_equal(x, y); });
}

Specials specials_in(Operands operands) {
  Specials found;
  for (const Literal& operand : operands) {
    if (!is_float(operand.type())) continue;
    const numeric::FloatFormat& format = numeric::format(operand.type());
    for (int64_t i = 0; i < operand.element_count(); ++i) {
      const double value = numeric::decode(operand.at(i).bits[0], format);
      found.nan = found.nan || std::isnan(value);
      found.minus_zero =
          found.minus_zero || (value == 0 && std::signbit(value));
    }
  }
  return found;
}

std::optional<Selection> Selection::of(const RowRegion& region,
                                       const Specials& specials) {
  const auto components = Reading().read(region.computation());
  if (!components) return std::nullopt;
  const Rows rows = sample_rows(*components, specials);
  if (rows.empty()) return std::nullopt;
  for (const RowEquality equality :
       {RowEquality::kBits, RowEquality::kNumbers}) {
    if (Laws(region, rows, equality).hold()) {
      return Selection(region, equality);
    }
  }
  return std::nullopt;
}

bool Selection::are_tied(const Row& row, const Row& greatest) const {
  return are_equal(region_.join(row, greatest), row, equality_) ||
         are_equal(region_.join(greatest, row), row, equality_);
}

}  // namespace hlo::conformance
