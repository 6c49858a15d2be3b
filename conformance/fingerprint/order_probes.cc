#include "conformance/fingerprint/order_probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "conformance/fingerprint/probe_values.h"
#include "conformance/fingerprint/tree_families.h"
#include "interpreter/numeric/format/float_format.h"

namespace hlo::conformance {
namespace {

/// Why there is no tree.
struct NoOrder {
  std::string why;
};

/// M and e as exponents of two.
struct Mask {
  int large = 0;
  int small = 0;
};

/// Pairs of masks, the widest apart first: with a subnormal e, then without.
std::vector<Mask> masks(const SummedOperation& operation) {
  constexpr int kFarEnough = 120;
  const auto& operand = numeric::format(operation.operand);
  const auto& result = numeric::format(operation.result);
  const int factors = operation.has_products() ? 2 : 1;
  const ProbeRange range = probe_range(operation);
  const int least =
      std::max(factors * (operand.min_exponent() - operand.mantissa_bits),
               result.min_exponent() - result.mantissa_bits);
  std::vector<Mask> found;
  for (const int low : {least, range.low}) {
    const int small = std::max(low, range.high - kFarEnough);
    found.push_back({.large = range.high, .small = small});
  }
  return found;
}

class OrderProbes {
 public:
  OrderProbes(SumMachine& machine, int64_t most)
      : machine_(machine),
        terms_(static_cast<int>(machine.operation().terms)),
        most_(most) {}

  int64_t probes() const { return probes_; }

  SummationTree tree() {
    if (terms_ == 1) return sequential_tree(1);
    choose_mask();
    std::vector<int> all(static_cast<size_t>(terms_));
    for (int i = 0; i < terms_; ++i) all[static_cast<size_t>(i)] = i;
    if (is_exact()) return single_node_tree(terms_);
    subtree(all);
    return std::move(tree_);
  }

 private:
  /// A term and how many lie below the node where it meets another one.
  using Meetings = std::map<int, std::vector<int>>;  // by that number

  std::vector<double> ask(const ProbeRows& rows) {
    probes_ += rows.rows().count();
    if (probes_ > most_) {
      throw NoOrder{fmt::format("it takes more than {} sums", most_)};
    }
    return machine_.sums(rows.rows());
  }

  std::vector<double> small_terms() const {
    return std::vector<double>(static_cast<size_t>(terms_), small_);
  }

  /// Whether the machine counts what is small, and loses it beside what is
  /// large.
  bool works(const Mask& mask) {
    small_ = std::ldexp(1, mask.small);
    large_ = std::ldexp(1, mask.large);
    ProbeRows rows(machine_.operation());
    std::vector<double> terms = small_terms();
    bool fits = rows.add(terms);
    terms.back() = large_;
    fits = rows.add(terms) && fits;
    terms.back() = small_;
    terms.front() = large_;
    fits = rows.add(terms) && fits;
    if (!fits) return false;
    const std::vector<double> sums = ask(rows);
    return sums[0] == small_ * terms_ && sums[1] == large_ &&
           sums[2] == large_ && loses_all();
  }

  /// Whether what is lost of one small term is lost of as much as all have.
  bool loses_all() {
    if (terms_ < 3) return true;
    const auto bits =
        static_cast<int>(std::bit_width(static_cast<unsigned>(terms_)));
    const double most = std::ldexp(small_, bits);
    const auto last = static_cast<size_t>(terms_ - 1);
    const std::array<std::array<size_t, 3>, 4> places = {
        {{0, 1, last}, {0, last, 1}, {1, last, 0}, {0, last, last / 2}}};
    ProbeRows rows(machine_.operation());
    for (const auto& [plus, minus, other] : places) {
      for (const double value : {small_, most}) {
        std::vector<double> terms = rows.zeros();
        terms[plus] = large_;
        terms[minus] = -large_;
        terms[other] = value;
        if (!rows.add(terms)) return false;
      }
    }
    const std::vector<double> sums = ask(rows);
    for (size_t i = 0; i < sums.size(); i += 2) {
      if ((sums[i] == 0) != (sums[i + 1] == 0)) return false;
    }
    return true;
  }

  void choose_mask() {
    for (const Mask& mask : masks(machine_.operation())) {
      if (works(mask)) return;
    }
    throw NoOrder{
        "no two numbers are so far apart that one is lost beside the other "
        "while sums of the smaller one are exact"};
  }

  /// How many terms lie below the node where i meets each of the others.
  std::vector<int> meetings(int i, const std::vector<int>& others) {
    constexpr size_t kAtOnce = 512;  // rows in memory
    std::vector<int> found;
    for (size_t first = 0; first < others.size(); first += kAtOnce) {
      const size_t end = std::min(first + kAtOnce, others.size());
      ProbeRows rows(machine_.operation());
      for (size_t k = first; k < end; ++k) {
        std::vector<double> terms = small_terms();
        terms[static_cast<size_t>(i)] = large_;
        terms[static_cast<size_t>(others[k])] = -large_;
        rows.add(terms);
      }
      const std::vector<double> sums = ask(rows);
      for (size_t k = first; k < end; ++k) {
        found.push_back(terms_ - left_of(sums[k - first], i, others[k]));
      }
    }
    return found;
  }

  /// How many small terms a sum is.
  int left_of(double sum, int i, int j) const {
    const double left = sum / small_;
    if (left >= 0 && left <= terms_ - 2 && left == std::floor(left)) {
      return static_cast<int>(left);
    }
    throw NoOrder{fmt::format(
        "of {} terms 2^{}, but 2^{} as term {} and its negative as term {}, "
        "the sum is {:g} such terms",
        terms_, std::ilogb(small_), std::ilogb(large_), i, j, left)};
  }

  /// Whether M and -M always cancel without a trace: no rounding in between.
  bool is_exact() {
    if (terms_ < 3) return false;
    const int last = terms_ - 1;
    const std::vector<int> first = meetings(0, {1, last});
    const int inner = meetings(terms_ / 2, {last})[0];
    return first[0] == 2 && first[1] == 2 && inner == 2;
  }

  Meetings grouped(const std::vector<int>& terms,
                   const std::vector<int>& sizes) const {
    Meetings groups;
    for (size_t i = 0; i < terms.size(); ++i) {
      groups[sizes[i]].push_back(terms[i]);
    }
    return groups;
  }

  /// The node of all these terms, in ascending order, which are all that lie
  /// below it.
  int subtree(const std::vector<int>& terms) {
    if (terms.size() == 1) return tree_.leaf(terms[0]);
    const std::vector<int> others(terms.begin() + 1, terms.end());
    return grown(terms[0], grouped(others, meetings(terms[0], others)));
  }

  /// The node of a term and those that it meets.
  int grown(int term, const Meetings& groups) {
    int node = tree_.leaf(term);
    for (const auto& [size, members] : groups) {
      std::vector<int> children = {node};
      add_siblings(members, size, children);
      node = tree_.node(children);
      if (tree_.at(node).size != size) {
        throw NoOrder{fmt::format(
            "term {} meets term {} where {} terms have come together, but {} "
            "can be told apart there",
            term, members[0], size, tree_.at(node).size)};
      }
    }
    return node;
  }

  /// Adds the subtrees of these terms, all of which are children of a node with
  /// so many terms.
  void add_siblings(std::vector<int> terms, int size,
                    std::vector<int>& children) {
    while (!terms.empty()) {
      const std::vector<int> others(terms.begin() + 1, terms.end());
      const std::vector<int> sizes =
          others.empty() ? std::vector<int>() : meetings(terms[0], others);
      Meetings inner = grouped(others, sizes);
      std::vector<int> rest;
      if (const auto at = inner.find(size); at != inner.end()) {
        rest = at->second;
        inner.erase(at);
      }
      if (!inner.empty() && inner.rbegin()->first > size) {
        throw NoOrder{fmt::format(
            "term {} meets others where {} terms have come together, but lies "
            "below a node of {}",
            terms[0], inner.rbegin()->first, size)};
      }
      children.push_back(grown(terms[0], inner));
      terms = std::move(rest);
    }
  }

  SumMachine& machine_;
  int terms_;
  int64_t most_;
  int64_t probes_ = 0;
  double small_ = 0;
  double large_ = 0;
  SummationTree tree_;
};

}  // namespace

FoundOrder find_order(SumMachine& machine, int64_t most) {
  OrderProbes probes(machine, most);
  FoundOrder found;
  try {
    found.tree = probes.tree();
  } catch (const NoOrder& no) {
    found.why_not = no.why;
  }
  found.probes = probes.probes();
  return found;
}

}  // namespace hlo::conformance
