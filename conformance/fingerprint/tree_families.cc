#include "conformance/fingerprint/tree_families.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace hlo::conformance {
namespace {

std::vector<int> leaves(SummationTree& tree, const std::vector<int>& terms) {
  std::vector<int> nodes;
  nodes.reserve(terms.size());
  for (const int term : terms) nodes.push_back(tree.leaf(term));
  return nodes;
}

std::vector<int> range(int begin, int end, int step = 1) {
  std::vector<int> terms;
  for (int i = begin; i < end; i += step) terms.push_back(i);
  return terms;
}

/// Adds each two of the nodes until one is left: neighbours, or the first half
/// to the second.
int halve(SummationTree& tree, std::vector<int> nodes, bool folded) {
  while (nodes.size() > 1) {
    const size_t half = (nodes.size() + 1) / 2;
    std::vector<int> sums;
    for (size_t i = 0; i < half; ++i) {
      const size_t a = folded ? i : 2 * i;
      const size_t b = folded ? i + half : 2 * i + 1;
      sums.push_back(b < nodes.size() ? tree.node({nodes[a], nodes[b]})
                                      : nodes[a]);
    }
    nodes = std::move(sums);
  }
  return nodes.front();
}

int cut(SummationTree& tree, int begin, int end, bool at_power) {
  const int n = end - begin;
  if (n == 1) return tree.leaf(begin);
  const auto most = static_cast<unsigned>(n - 1);
  const int first = at_power ? static_cast<int>(std::bit_floor(most)) : n / 2;
  const int a = cut(tree, begin, begin + first, at_power);
  return tree.node({a, cut(tree, begin + first, end, at_power)});
}

/// The nodes in their order; the last of a tree must be its root.
int join(SummationTree& tree, const std::vector<int>& parts, Joining joining) {
  if (joining == Joining::kSequential) return tree.chain(parts);
  return halve(tree, parts, joining == Joining::kFolded);
}

int blocks(SummationTree& tree, int begin, int end, int block) {
  int sum = -1;
  for (int i = begin; i < end; i += block) {
    std::vector<int> nodes = leaves(tree, range(i, std::min(i + block, end)));
    if (sum >= 0) nodes.push_back(sum);
    sum = nodes.size() == 1 ? nodes.front() : tree.node(nodes);
  }
  return sum;
}

}  // namespace

SummationTree sequential_tree(int terms) {
  SummationTree tree;
  tree.chain(leaves(tree, range(0, terms)));
  return tree;
}

SummationTree reverse_tree(int terms) {
  SummationTree tree;
  std::vector<int> order = range(0, terms);
  std::ranges::reverse(order);
  tree.chain(leaves(tree, order));
  return tree;
}

SummationTree pairwise_tree(int terms, Halving halving) {
  SummationTree tree;
  if (halving == Halving::kMiddle || halving == Halving::kPower) {
    cut(tree, 0, terms, halving == Halving::kPower);
  } else {
    halve(tree, leaves(tree, range(0, terms)), halving == Halving::kFolded);
  }
  return tree;
}

SummationTree lane_tree(int terms, int lanes, Joining joining) {
  SummationTree tree;
  std::vector<int> parts;
  for (int lane = 0; lane < std::min(lanes, terms); ++lane) {
    parts.push_back(tree.chain(leaves(tree, range(lane, terms, lanes))));
  }
  join(tree, parts, joining);
  return tree;
}

SummationTree swapped_tree(int terms) {
  SummationTree tree;
  std::vector<int> order = range(0, terms);
  for (size_t i = 0; i + 1 < order.size(); i += 2) {
    std::swap(order[i], order[i + 1]);
  }
  tree.chain(leaves(tree, order));
  return tree;
}

SummationTree rounds_tree(int terms, int lanes, Joining joining) {
  const int end = terms - terms % lanes;
  if (end == 0) return sequential_tree(terms);
  SummationTree tree;
  std::vector<int> parts;
  for (int lane = 0; lane < lanes; ++lane) {
    parts.push_back(tree.chain(leaves(tree, range(lane, end, lanes))));
  }
  parts = {join(tree, parts, joining)};
  for (const int leaf : leaves(tree, range(end, terms))) parts.push_back(leaf);
  tree.chain(parts);
  return tree;
}

SummationTree split_tree(int terms, int size, Joining joining) {
  SummationTree tree;
  std::vector<int> parts;
  for (int i = 0; i < terms; i += size) {
    const std::vector<int> part = range(i, std::min(i + size, terms));
    parts.push_back(tree.chain(leaves(tree, part)));
  }
  join(tree, parts, joining);
  return tree;
}

SummationTree block_tree(int terms, int block) {
  SummationTree tree;
  blocks(tree, 0, terms, block);
  return tree;
}

SummationTree promoted_tree(int terms, int size, int block) {
  SummationTree tree;
  std::vector<int> parts;
  for (int i = 0; i < terms; i += size) {
    parts.push_back(blocks(tree, i, std::min(i + size, terms), block));
  }
  tree.chain(parts);
  return tree;
}

SummationTree single_node_tree(int terms) {
  SummationTree tree;
  const std::vector<int> nodes = leaves(tree, range(0, terms));
  if (terms > 1) tree.node(nodes);
  return tree;
}

namespace {

/// The families without a size, and those with one, in the order in which a
/// tree that is of several gets its name.
struct Family {
  std::string name;
  std::function<SummationTree(int terms)> tree;
};

std::vector<Family> plain_families() {
  const auto pairs = [](Halving halving) {
    return [halving](int n) { return pairwise_tree(n, halving); };
  };
  return {{"sequential", sequential_tree},
          {"sequential from the last term", reverse_tree},
          {"pairwise, neighbours first", pairs(Halving::kNeighbours)},
          {"pairwise, halves at powers of two", pairs(Halving::kPower)},
          {"pairwise, halves in the middle", pairs(Halving::kMiddle)},
          {"pairwise, the second half onto the first", pairs(Halving::kFolded)},
          {"sequential, of each two neighbours the second first", swapped_tree},
          {"all at once", single_node_tree}};
}

constexpr std::array<std::pair<Joining, const char*>, 3> kJoinings = {
    {{Joining::kSequential, "added one after the other"},
     {Joining::kNeighbours, "added as neighbours"},
     {Joining::kFolded, "added by halves"}}};

std::vector<Family> sized_families(int size) {
  std::vector<Family> families;
  for (const auto& [joining, how] : kJoinings) {
    families.push_back({fmt::format("{} lanes, {}", size, how),
                        [size, joining = joining](int n) {
                          return lane_tree(n, size, joining);
                        }});
    families.push_back(
        {fmt::format("{} lanes, {}, the rest one after the other", size, how),
         [size, joining = joining](int n) {
           return rounds_tree(n, size, joining);
         }});
    families.push_back({fmt::format("parts of {} in a row, {}", size, how),
                        [size, joining = joining](int n) {
                          return split_tree(n, size, joining);
                        }});
  }
  families.push_back({fmt::format("blocks of {} and the sum so far", size),
                      [size](int n) { return block_tree(n, size); }});
  return families;
}

std::vector<Family> promoted_families(int size) {
  std::vector<Family> families;
  for (int block = 2; block < size; block *= 2) {
    families.push_back(
        {fmt::format("parts of {}, each in blocks of {}, added one after the "
                     "other",
                     size, block),
         [size, block](int n) { return promoted_tree(n, size, block); }});
  }
  return families;
}

}  // namespace

std::string tree_name(const SummationTree& tree) {
  const int n = tree.terms();
  if (n < 2) return "one term";
  const std::string text = tree.text();
  const auto named = [&](const std::vector<Family>& families) {
    const auto found = std::ranges::find_if(families, [&](const Family& one) {
      return one.tree(n).text() == text;
    });
    return found == families.end() ? std::string() : found->name;
  };
  std::string name = named(plain_families());
  // The sizes that a tree of lanes or blocks may have stand in its text: the
  // least term that does not come directly after the others.
  for (int size = 2; size < n && name.empty(); ++size) {
    const bool likely =
        size <= 16 || std::has_single_bit(unsigned(size)) || n % size == 0;
    if (!likely) continue;
    name = named(sized_families(size));
    const bool power = std::has_single_bit(unsigned(size)) && size >= 4;
    if (name.empty() && power) name = named(promoted_families(size));
  }
  return name;
}

}  // namespace hlo::conformance
