#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hlo::conformance {

/// In which order the terms of a sum come together: a node adds its children at
/// once, a leaf is a term. Children come before their parents, the root last;
/// those of a node stand in the order of their first terms, since sums do not
/// hang on it.
class SummationTree {
 public:
  struct Node {
    std::vector<int> children;  // none: a leaf
    int first = 0;              // the least term below it; a leaf's own
    int size = 1;               // terms below it
  };

  /// Adds the leaf of that term; its number.
  int leaf(int term);
  /// Adds the node of these children, two or more; its number.
  int node(std::vector<int> children);
  /// Adds the nodes one after the other: ((a + b) + c) + ...
  int chain(const std::vector<int>& parts);

  const std::vector<Node>& nodes() const { return nodes_; }

  int root() const { return static_cast<int>(nodes_.size()) - 1; }

  int terms() const { return nodes_.empty() ? 0 : nodes_.back().size; }

  bool is_leaf(int node) const { return at(node).children.empty(); }

  const Node& at(int node) const { return nodes_[static_cast<size_t>(node)]; }

  /// The terms below a node, in ascending order.
  std::vector<int> terms_of(int node) const;
  /// The parent of each node; -1 of the root.
  std::vector<int> parents() const;

  /// "((0+1)+2)", a node of several "(0+1+2+3)": the same for the same order.
  std::string text() const;
  /// 16 hex digits of FNV-1a of the text.
  std::string hash() const;

  friend bool operator==(const SummationTree& a, const SummationTree& b) {
    return a.text() == b.text();
  }

 private:
  std::vector<Node> nodes_;
};

}  // namespace hlo::conformance
