#include "backends/cpu/plan/steps/divisions.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "backends/cpu/plan/steps/bands.h"
#include "backends/cpu/plan/steps/live_ranges.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kFewestParts = 4;
/// Steps, but for the rest of a band: so many are looked at from each product.
constexpr size_t kMostSteps = 64;
/// Bytes that a part writes: of fewer the steps do not pay, more lie in no
/// cache.
constexpr size_t kLeastBytes = size_t{64} << 10;
constexpr size_t kMostBytes = size_t{8} << 20;

/// Lines that a step folds as a pass or by itself; 0 without.
int64_t folded_lines(const Graph& graph, const Step& step) {
  const Node& node = graph.nodes[step.node];
  const Node* const fold = node.kind == NodeKind::kFold ? &node
                           : step.fold >= 0
                               ? &graph.nodes[static_cast<size_t>(step.fold)]
                               : nullptr;
  if (fold == nullptr) return 0;
  return fold->operands[0].view.dims[2] == 1 ? fold->operands[0].view.dims[0]
                                             : -1;
}

/// Whether matrix b of the operand is in part b of its array: where matrices
/// begin one part behind the other and all of them lie in the array, each is.
bool is_batch(const Graph& graph, const Operand& operand, int64_t parts) {
  const View& view = operand.view;
  const int64_t count = graph.values[operand.value].shape.element_count();
  return view.dims[0] == parts && view.strides[0] * parts == count;
}

/// A step that runs part by part, in a band of so many lines or none.
struct PartedStep {
  const Graph& graph;
  const Step& step;
  int64_t lines;  // of its band; 0 without

  bool fits(int64_t parts) const {
    const Node& node = graph.nodes[step.node];
    const int64_t folded = folded_lines(graph, step);
    if (folded % parts != 0 || folded < 0 || lines % parts != 0) return false;
    if (node.kind == NodeKind::kFold) return folded > 0;
    if (node.kind == NodeKind::kProduct) {
      return node.operands[0].view.dims[0] == parts;
    }
    return node.kind == NodeKind::kMap && step.program.count > 0 &&
           step.program.count % parts == 0;
  }

  /// Whether the i-th value is read part by part.
  bool reads_by_parts(size_t i, int64_t parts) const {
    const Node& node = graph.nodes[step.node];
    if (node.kind == NodeKind::kProduct) {
      return is_batch(graph, node.operands[i], parts);
    }
    // Lines of a part are whole.
    const int64_t own = lines > 0 ? lines : folded_lines(graph, step);
    return reads_by_lines(graph, step, i, own > 0 ? own : parts);
  }
};

PartedStep parted(const StepPlan& plan, size_t step) {
  const Band* const band = run_of(plan.bands, step);
  return {plan.graph, plan.steps[step], band == nullptr ? 0 : band->lines};
}

class DivisionFinder {
 public:
  explicit DivisionFinder(const StepPlan& plan)
      : plan_(plan), ends_(ends_of_bands(plan)) {}

  std::vector<Division> found() const {
    std::vector<Division> divisions;
    for (size_t s = 0; s < plan_.steps.size();) {
      const Division division = division_from(s);
      if (division.count > 1) divisions.push_back(division);
      s = std::max(ends_[s], s + division.count);
    }
    const std::vector<LiveRange> ranges = live_ranges(plan_);
    for (Division& division : divisions) {
      division.inner = inner_values(plan_, ranges, division.first,
                                    division.first + division.count);
    }
    return divisions;
  }

 private:
  /// The longest division that begins with that product; no steps without.
  Division division_from(size_t first) const {
    const Node& node = plan_.graph.nodes[plan_.steps[first].node];
    Division division;
    division.first = first;
    if (node.kind != NodeKind::kProduct) return division;
    division.parts = node.operands[0].view.dims[0];
    if (division.parts < kFewestParts) return division;
    std::set<size_t> written;
    size_t bytes = 0;
    const size_t end = std::min(plan_.steps.size(), first + kMostSteps);
    for (size_t s = first; s < end; s = ends_[s]) {
      bool reads = false;
      for (size_t k = s; k < ends_[s]; ++k) {
        if (!joins(k, division.parts, written, reads, bytes)) return division;
      }
      if (reads && bytes >= kLeastBytes) division.count = ends_[s] - first;
    }
    return division;
  }

  /// Whether the step may be one behind those that write such values.
  bool joins(size_t s, int64_t parts, std::set<size_t>& written, bool& reads,
             size_t& bytes) const {
    const PartedStep own = parted(plan_, s);
    if (!own.fits(parts)) return false;
    for (size_t i = 0; i < own.step.reads.size(); ++i) {
      if (!written.contains(own.step.reads[i])) continue;
      if (!own.reads_by_parts(i, parts)) return false;
      reads = true;
    }
    for (const size_t value : own.step.writes) {
      bytes += plan_.graph.values[value].bytes / static_cast<size_t>(parts);
      written.insert(value);
    }
    return bytes <= kMostBytes;
  }

  const StepPlan& plan_;
  std::vector<size_t> ends_;
};

}  // namespace

std::vector<Division> find_divisions(const StepPlan& plan) {
  return DivisionFinder(plan).found();
}

bool is_read_by_parts(const StepPlan& plan, size_t step, size_t value) {
  const Division* const division = run_of(plan.divisions, step);
  if (division == nullptr) return true;
  for (size_t s = division->first; s < step; ++s) {
    const PartedStep before = parted(plan, s);
    for (size_t i = 0; i < before.step.reads.size(); ++i) {
      if (before.step.reads[i] == value &&
          !before.reads_by_parts(i, division->parts)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace hlo::cpu
