#include "backends/cpu/plan/steps/fuse_folds.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kMostFolded = int64_t{16} * 1024;  // numbers of a line, in L2

/// The element-wise node whose result the fold reads line by line; -1 without.
int64_t folded_node(const Graph& graph, const Node& fold) {
  if (fold.kind != NodeKind::kFold) return -1;
  const Operand& lines = fold.operands[0];
  const Value& value = graph.values[lines.value];
  const int64_t folded = lines.view.dims[1];
  const bool fits = value.node >= 0 && lines.is_whole() &&
                    lines.view.count() == value.shape.element_count() &&
                    lines.view.dims[2] == 1 && folded > 1 &&
                    folded <= kMostFolded;
  if (!fits) return -1;
  const Node& node = graph.nodes[static_cast<size_t>(value.node)];
  return node.kind == NodeKind::kMap ? value.node : -1;
}

}  // namespace

std::vector<int64_t> folds_of_nodes(const Graph& graph) {
  std::vector<int64_t> folds(graph.nodes.size(), -1);
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const int64_t node = folded_node(graph, graph.nodes[n]);
    if (node < 0) continue;
    // What the fold begins with must be there already.
    const Operand& init = graph.nodes[n].operands[1];
    int64_t& fold = folds[static_cast<size_t>(node)];
    if (fold < 0 && graph.values[init.value].node < node) {
      fold = static_cast<int64_t>(n);
    }
  }
  return folds;
}

std::vector<size_t> uses_of_values(const Graph& graph) {
  std::vector<size_t> uses(graph.values.size());
  for (const Node& node : graph.nodes) {
    for (const Operand& operand : node.operands) ++uses[operand.value];
  }
  for (const Operand& result : graph.results) ++uses[result.value];
  return uses;
}

}  // namespace hlo::cpu
