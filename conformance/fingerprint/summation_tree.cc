#include "conformance/fingerprint/summation_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hlo::conformance {

int SummationTree::leaf(int term) {
  nodes_.push_back({.children = {}, .first = term, .size = 1});
  return root();
}

int SummationTree::node(std::vector<int> children) {
  std::ranges::sort(children, {}, [&](int child) { return at(child).first; });
  Node node{.children = std::move(children), .first = 0, .size = 0};
  node.first = at(node.children.front()).first;
  for (const int child : node.children) node.size += at(child).size;
  nodes_.push_back(std::move(node));
  return root();
}

int SummationTree::chain(const std::vector<int>& parts) {
  int sum = parts.front();
  for (size_t i = 1; i < parts.size(); ++i) sum = node({sum, parts[i]});
  return sum;
}

std::vector<int> SummationTree::terms_of(int node) const {
  std::vector<int> open = {node};
  std::vector<int> terms;
  while (!open.empty()) {
    const int next = open.back();
    open.pop_back();
    if (is_leaf(next)) terms.push_back(at(next).first);
    const auto& children = at(next).children;
    open.insert(open.end(), children.begin(), children.end());
  }
  std::ranges::sort(terms);
  return terms;
}

std::vector<int> SummationTree::parents() const {
  std::vector<int> parents(nodes_.size(), -1);
  for (int i = 0; i <= root(); ++i) {
    for (const int child : at(i).children) {
      parents[static_cast<size_t>(child)] = i;
    }
  }
  return parents;
}

std::string SummationTree::text() const {
  if (nodes_.empty()) return "";

  // What is still to be written, the last first: a node, or a sign.
  struct Item {
    int node;
    char sign;
  };

  std::vector<Item> open = {{root(), 0}};
  std::string text;
  while (!open.empty()) {
    const Item next = open.back();
    open.pop_back();
    if (next.sign != 0) {
      text += next.sign;
    } else if (is_leaf(next.node)) {
      text += std::to_string(at(next.node).first);
    } else {
      const auto& children = at(next.node).children;
      text += '(';
      open.push_back({0, ')'});
      for (size_t i = children.size(); i-- > 0;) {
        open.push_back({children[i], 0});
        if (i > 0) open.push_back({0, '+'});
      }
    }
  }
  return text;
}

std::string SummationTree::hash() const {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text()) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace hlo::conformance
