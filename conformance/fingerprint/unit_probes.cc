#include "conformance/fingerprint/unit_probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "conformance/fingerprint/probe_values.h"
#include "interpreter/numeric/format/float_format.h"

namespace hlo::conformance {
namespace {

constexpr int kMostBits = 60;

/// Where three numbers stand: the first two meet first. `last` is -1 where
/// nothing is added to the node at which they do.
struct Places {
  int first = 0;
  int second = 0;
  int last = -1;
};

enum class NodeKind { kStep, kJoin, kBlock };

NodeKind kind_of(const SummationTree& tree, int node) {
  const auto& children = tree.at(node).children;
  if (children.size() > 2) return NodeKind::kBlock;
  const bool has_term = tree.is_leaf(children[0]) || tree.is_leaf(children[1]);
  return has_term ? NodeKind::kStep : NodeKind::kJoin;
}

/// A term below another child of the node's parent.
int outside(const SummationTree& tree, int node, int parent) {
  for (const int child : tree.at(parent).children) {
    if (child != node) return tree.at(child).first;
  }
  return -1;
}

/// The smallest node of that kind to which something is added; else the root.
std::optional<Places> places_of(const SummationTree& tree, NodeKind kind) {
  const std::vector<int> parents = tree.parents();
  std::optional<Places> found;
  int least = std::numeric_limits<int>::max();
  for (int node = 0; node <= tree.root(); ++node) {
    if (tree.is_leaf(node) || kind_of(tree, node) != kind) continue;
    const int parent = parents[static_cast<size_t>(node)];
    const auto& children = tree.at(node).children;
    const Places places{.first = tree.at(children[children.size() - 2]).first,
                        .second = tree.at(children.back()).first,
                        .last = parent < 0 ? -1 : outside(tree, node, parent)};
    const bool better = parent >= 0 ? tree.at(node).size < least : !found;
    if (!better) continue;
    found = places;
    if (parent >= 0) least = tree.at(node).size;
  }
  return found;
}

/// Three children of one node.
std::optional<Places> places_in_block(const SummationTree& tree) {
  for (int node = 0; node <= tree.root(); ++node) {
    const auto& children = tree.at(node).children;
    if (children.size() < 3) continue;
    const size_t n = children.size();
    return Places{.first = tree.at(children[n - 3]).first,
                  .second = tree.at(children[n - 2]).first,
                  .last = tree.at(children[n - 1]).first};
  }
  return std::nullopt;
}

/// What a rounding makes of that many units, which lie beside an even number.
double rounded_units(double units, UnitRounding rounding, bool negative) {
  constexpr double kEvenNumber = 0x1p20;
  const double value = kEvenNumber + units;
  const UnitFormat format{.precision = 21,
                          .min_exponent = -1000,
                          .rounding = rounding,
                          .flushes = false};
  const double rounded = round_unit(negative ? -value : value, 0, format);
  return std::fabs(rounded) - kEvenNumber;
}

class UnitProbes {
 public:
  UnitProbes(SumMachine& machine, const SummationTree& tree)
      : machine_(machine),
        operation_(machine.operation()),
        tree_(tree),
        range_(probe_range(operation_)),
        operand_(numeric::format(operation_.operand)),
        result_(numeric::format(operation_.result)) {
    // As much room below as above, but 1 where that has room enough.
    const int wanted = range_.low + kMostBits + 4;
    one_ = std::ldexp(
        1, std::clamp(wanted, std::min(0, range_.high), range_.high));
  }

  UnitObservations all() {
    UnitObservations seen;
    seen.step = width(places_of(tree_, NodeKind::kStep), kMostBits);
    seen.join = width(places_of(tree_, NodeKind::kJoin), kMostBits);
    seen.in_block = width(places_in_block(tree_), -1);
    seen.block = width(places_of(tree_, NodeKind::kBlock), seen.in_block.bits);
    seen.operand_bits = operand_bits();
    if (operation_.has_products()) seen.fused = fused();
    find_flushes(seen);
    find_specials(seen);
    return seen;
  }

 private:
  /// Asks for one sum; nothing where there are no such terms.
  std::optional<double> ask(const std::vector<double>& terms) {
    ProbeRows rows(operation_);
    if (!rows.add(terms)) return std::nullopt;
    return machine_.sums(rows.rows())[0];
  }

  double ask_operands(const std::vector<double>& a,
                      const std::vector<double>& b) {
    SumRows rows{.terms = operation_.terms, .a = a, .b = b};
    return machine_.sums(rows)[0];
  }

  std::vector<double> zeros() const {
    return std::vector<double>(static_cast<size_t>(operation_.terms));
  }

  std::vector<double> terms(const Places& places, double first,
                            double second) const {
    std::vector<double> terms = zeros();
    terms[static_cast<size_t>(places.first)] = first;
    terms[static_cast<size_t>(places.second)] = second;
    if (places.last >= 0) terms[static_cast<size_t>(places.last)] = -first;
    return terms;
  }

  /// What is left of the second number, in units of `unit`.
  static double left(const Places& places, double first, double sum,
                     double unit) {
    return (places.last >= 0 ? sum : sum - first) / unit;
  }

  /// `fraction` bits of a number reach the rounding; -1 where there is none.
  NodeWidth width(const std::optional<Places>& places, int fraction) {
    NodeWidth width;
    width.exists = places.has_value();
    if (!places) return width;
    ProbeRows rows(operation_);
    int asked = 0;
    // Neither the second number nor what is left must be below normal ones.
    const int room = std::min(kMostBits, exponent_of(one_) - range_.low);
    while (asked < room &&
           rows.add(terms(*places, one_, std::ldexp(one_, -(asked + 1))))) {
      ++asked;
    }
    if (asked == 0) return width;
    const std::vector<double> sums = machine_.sums(rows.rows());
    for (int k = 1; k <= asked; ++k) {
      const double unit = std::ldexp(one_, -k);
      const double sum = sums[static_cast<size_t>(k - 1)];
      if (left(*places, one_, sum, unit) != 1) break;
      width.bits = k;
    }
    width.seen = true;
    width.at_least = width.bits == asked;
    width.by_result = places->last < 0 && width.bits >= result_.mantissa_bits;
    if (fraction >= 0) {
      width.roundings = roundings(*places, width, fraction - width.bits);
    }
    return width;
  }

  /// Which roundings give what comes of 1 and parts of its last bit, of which
  /// that many bits reach the rounding.
  std::vector<UnitRounding> roundings(const Places& places,
                                      const NodeWidth& width, int bits) {
    std::vector<UnitRounding> found;
    const std::vector<Part> parts = width.at_least || width.bits == 0
                                        ? std::vector<Part>()
                                        : parts_of(places, width);
    for (int r = 0; r < kUnitRoundings; ++r) {
      const auto rounding = static_cast<UnitRounding>(r);
      const auto fits = [&](bool floors) {
        return std::ranges::all_of(parts, [&](const Part& part) {
          return rounded_units(cut(part, bits, floors), rounding,
                               part.sign < 0) == part.got;
        });
      };
      if (fits(false) || fits(true)) found.push_back(rounding);
    }
    return found;
  }

  /// A part of the last bit of a number with a sign, and how many such bits it
  /// came to.
  struct Part {
    double sign = 1;
    double part = 0;
    double got = 0;
  };

  std::vector<Part> parts_of(const Places& places, const NodeWidth& width) {
    const double unit = std::ldexp(one_, -width.bits);
    std::vector<Part> parts;
    for (const double sign : {1.0, -1.0}) {
      for (const double part : {0.25, 0.5, 0.75, 1.25, 1.5, 1.75}) {
        const auto sum = ask(terms(places, sign * one_, sign * part * unit));
        if (!sum) continue;
        parts.push_back(
            {sign, part, sign * left(places, sign * one_, *sum, unit)});
      }
    }
    return parts;
  }

  /// The part without what lies below those bits.
  static double cut(const Part& part, int bits, bool floors) {
    constexpr int kAll = 2;  // bits of the parts that are asked about
    if (bits >= kAll) return part.part;
    const double units = std::ldexp(part.part, std::max(bits, 0));
    const bool up = floors && part.sign < 0;
    return std::ldexp(up ? std::ceil(units) : std::floor(units),
                      -std::max(bits, 0));
  }

  /// The largest k for which a factor 1 + 2^-k is kept.
  int operand_bits() {
    const double scale = operation_.has_products() ? 1 : one_;
    SumRows rows{.terms = operation_.terms, .a = {}, .b = {}};
    const int most = operand_.mantissa_bits;
    for (int k = 1; k <= most; ++k) {
      std::vector<double> a = zeros();
      std::vector<double> b = zeros();
      a[0] = scale * (1 + std::ldexp(1, -k));
      b[0] = 1;
      rows.add(a, b);
    }
    const std::vector<double> sums =
        most > 0 ? machine_.sums(rows) : std::vector<double>();
    int bits = 0;
    const auto is_kept = [&](int k) {
      return sums[static_cast<size_t>(k - 1)] ==
             scale * (1 + std::ldexp(1, -k));
    };
    while (bits < most && is_kept(bits + 1)) ++bits;
    return bits;
  }

  /// (1 + e)^2 - (1 + 2e), which is e^2: what is left where the square comes
  /// first, and where it comes last.
  std::string fused() {
    const int bits = std::min(result_.mantissa_bits, operand_.mantissa_bits);
    const int k = bits / 2 + 1;
    if (tree_.terms() < 2 || k > operand_.mantissa_bits) return "";
    const double e = std::ldexp(1, -k);
    if (!has_code(1 + 2 * e, operation_.operand)) return "";
    std::string found;
    for (const bool square_first : {true, false}) {
      std::vector<double> a = zeros();
      std::vector<double> b = zeros();
      const size_t square = square_first ? 0 : 1;
      a[square] = b[square] = 1 + e;
      a[1 - square] = -(1 + 2 * e);
      b[1 - square] = 1;
      found += found.empty() ? "" : ", ";
      found += ask_operands(a, b) == 0 ? "lost" : "kept";
    }
    return found;
  }

  void find_flushes(UnitObservations& seen) {
    const double least_normal = std::ldexp(1, operand_.min_exponent());
    std::vector<double> a = zeros();
    std::vector<double> b = zeros();
    b[0] = operation_.has_products()
               ? std::ldexp(1, std::min(operand_.max_exponent(), 40))
               : 1;
    if (operation_.has_products()) {
      a[0] = least_normal * 0.5;
      seen.flushes_operands = ask_operands(a, b) == 0;
    } else if (operation_.terms > 1) {
      a[0] = least_normal * 0.5;
      a[1] = least_normal;
      seen.flushes_operands = ask_operands(a, b) == least_normal;
    }
    const int least_result = result_.min_exponent();
    const bool reaches = 2 * operand_.min_exponent() <= least_result - 1;
    if (operation_.has_products() && reaches) {
      // 0.75 of the least normal number, of normal factors.
      a[0] = std::ldexp(1.5, (least_result - 1) / 2);
      b[0] = std::ldexp(1, least_result - 1 - (least_result - 1) / 2);
      seen.flushes_products = ask_operands(a, b) == 0;
    }
    find_flushed_sums(seen);
  }

  /// 1.5 times the least normal number minus that number.
  void find_flushed_sums(UnitObservations& seen) {
    if (operation_.terms < 2) return;
    const double least = std::ldexp(1, result_.min_exponent());
    std::vector<double> terms = zeros();
    terms[0] = 1.5 * least;
    terms[1] = -least;
    const auto sum = ask(terms);
    seen.flushes_sums = sum && *sum == 0;
  }

  void special(UnitObservations& seen, std::string_view name,
               std::string_view wanted, const std::vector<double>& a,
               const std::vector<double>& b) {
    const double got = ask_operands(a, b);
    seen.specials.push_back(
        {std::string(name), std::string(wanted),
         std::isnan(got) ? "nan" : fmt::format("{:g}", got)});
  }

  void find_specials(UnitObservations& seen) {
    const double infinity = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> ones(zeros().size(), 1);
    std::vector<double> a = ones;
    const bool products = operation_.has_products();
    if (operand_.has_nan()) {
      a[0] = nan;
      special(seen, "NaN and ones", "nan", a, ones);
      std::vector<double> b = ones;
      b[0] = 0;
      if (products) special(seen, "NaN * 0 and ones", "nan", a, b);
    }
    if (operand_.has_infinity() && result_.has_infinity()) {
      a[0] = infinity;
      special(seen, "inf and ones", "inf", a, ones);
      std::vector<double> b = ones;
      b[0] = 0;
      if (products) special(seen, "inf * 0 and ones", "nan", a, b);
      if (a.size() > 1) {
        a[1] = -infinity;
        special(seen, "inf, -inf and ones", "nan", a, ones);
      }
    }
    find_zeros_and_overflow(seen);
  }

  void find_zeros_and_overflow(UnitObservations& seen) {
    const std::vector<double> ones(zeros().size(), 1);
    if (operand_.has_negative_zero() && result_.has_negative_zero()) {
      const std::vector<double> a(ones.size(), -0.0);
      special(seen, "only -0", "", a, ones);
      seen.zero_start = seen.specials.back().found == "0";
    }
    const int top = std::min(result_.max_exponent(), operand_.max_exponent());
    if (ones.size() < 3 || top < result_.max_exponent()) return;
    const auto places = places_of(tree_, kind_of(tree_, tree_.root()));
    if (!places || places->last < 0) return;
    const double huge = std::ldexp(1, top);
    special(seen, "2^emax, 2^emax, -2^emax", "", terms(*places, huge, huge),
            ones);
  }

  SumMachine& machine_;
  const SummedOperation& operation_;
  const SummationTree& tree_;
  ProbeRange range_;
  const numeric::FloatFormat& operand_;
  const numeric::FloatFormat& result_;
  double one_ = 1;
};

}  // namespace

UnitObservations observe_unit(SumMachine& machine, const SummationTree& tree) {
  return UnitProbes(machine, tree).all();
}

}  // namespace hlo::conformance
