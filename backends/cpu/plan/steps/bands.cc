#include "backends/cpu/plan/steps/bands.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "backends/cpu/plan/steps/live_ranges.h"

namespace hlo::cpu {
namespace {

/// Most numbers of a line of all steps, so that some lines lie in L2.
constexpr int64_t kMostNumbers = int64_t{32} * 1024;
constexpr size_t kMostSteps = 64;

/// Whether line l of the view, as one of so many, reads nothing but elements
/// l * own ... l * own + own - 1: where lines begin `own` elements one behind
/// the other and all of them lie in the array, each does.
bool stays_in_lines(const View& view, int64_t lines, int64_t own) {
  size_t d = 0;
  int64_t before = 1;  // places of the dimensions that number lines
  for (; before < lines && d < view.dims.size(); ++d) before *= view.dims[d];
  if (before != lines) return false;
  int64_t step = own;
  for (size_t k = d; k-- > 0;) {
    if (view.dims[k] != 1 && view.strides[k] != step) return false;
    step *= view.dims[k];
  }
  return true;
}

bool is_fold_of_lines(const Node& node) {
  return node.kind == NodeKind::kFold && node.operands[0].view.dims[2] == 1;
}

class Finder {
 public:
  Finder(const Graph& graph, const std::vector<Step>& steps)
      : graph_(graph), steps_(steps) {}

  std::vector<Band> found() const {
    const std::vector<int64_t> lines = lines_of_steps();
    std::vector<Band> bands;
    for (size_t s = 0; s < steps_.size();) {
      const Band band = band_from(s, lines[s]);
      if (band.count > 1) bands.push_back(band);
      s += std::max<size_t>(band.count, 1);
    }
    return bands;
  }

  /// Whether the i-th array is read line by line, of so many.
  bool reads_by_lines(const Step& step, size_t i, int64_t lines) const {
    const int64_t count = graph_.values[step.reads[i]].shape.element_count();
    if (count % lines != 0) return false;
    const Node& node = graph_.nodes[step.node];
    // Behind those is what a fold begins with.
    const size_t arrays =
        node.kind == NodeKind::kFold ? 1 : step.program.inputs.size();
    if (i >= arrays) return false;
    const View view = node.kind == NodeKind::kFold
                          ? node.operands[0].view
                          : step.program.inputs[i].view;
    if (view.offset == 0 && view.is_contiguous()) return view.count() == count;
    return stays_in_lines(view, lines, count / lines);
  }

 private:
  /// How many lines the step folds, without a fold 0.
  int64_t folded_lines(const Step& step) const {
    const Node& node = graph_.nodes[step.node];
    if (is_fold_of_lines(node)) return node.operands[0].view.dims[0];
    if (step.fold < 0) return 0;
    return graph_.nodes[static_cast<size_t>(step.fold)]
        .operands[0]
        .view.dims[0];
  }

  /// Numbers of a line of the step, none where it has not so many lines.
  std::optional<int64_t> numbers(const Step& step, int64_t lines) const {
    const Node& node = graph_.nodes[step.node];
    if (node.kind == NodeKind::kMap) {
      const int64_t count = step.program.count;
      const bool fits = step.fold < 0 || folded_lines(step) == lines;
      if (!fits || count == 0 || count % lines != 0) return std::nullopt;
      return count / lines;
    }
    if (!is_fold_of_lines(node) || folded_lines(step) != lines ||
        node.operands[0].view.dims[1] == 0) {
      return std::nullopt;
    }
    return node.operands[0].view.dims[1];
  }

  /// The lines of the first fold among the passes and folds from each step on;
  /// 0 without.
  std::vector<int64_t> lines_of_steps() const {
    std::vector<int64_t> lines(steps_.size());
    int64_t next = 0;
    for (size_t s = steps_.size(); s-- > 0;) {
      const int64_t own = folded_lines(steps_[s]);
      const bool is_pass = graph_.nodes[steps_[s].node].kind == NodeKind::kMap;
      next = own != 0 ? own : is_pass ? next : 0;
      lines[s] = next;
    }
    return lines;
  }

  /// The longest band that begins with that step; without one no steps.
  Band band_from(size_t first, int64_t lines) const {
    Band band{first, 0, lines, {}};
    if (lines < 2) return band;
    std::set<size_t> written;
    int64_t sum = 0;
    const size_t last = std::min(steps_.size(), first + kMostSteps);
    for (size_t s = first; s < last; ++s) {
      const Step& step = steps_[s];
      const std::optional<int64_t> own = numbers(step, lines);
      if (!own || (sum += *own) > kMostNumbers) break;
      bool reads = false;
      for (size_t i = 0; i < step.reads.size(); ++i) {
        if (!written.contains(step.reads[i])) continue;
        if (!reads_by_lines(step, i, lines)) return band;
        reads = true;
      }
      if (reads) band.count = s + 1 - first;
      written.insert(step.writes.begin(), step.writes.end());
    }
    return band;
  }

  const Graph& graph_;
  const std::vector<Step>& steps_;
};

}  // namespace

std::vector<Band> find_bands(const StepPlan& plan) {
  std::vector<Band> bands = Finder(plan.graph, plan.steps).found();
  const std::vector<LiveRange> ranges = live_ranges(plan);
  for (Band& band : bands) {
    band.inner =
        inner_values(plan, ranges, band.first, band.first + band.count);
    // What is folded of a line is one number.
    std::erase_if(band.inner, [&](size_t value) {
      return plan.graph.values[value].shape.element_count() == band.lines;
    });
  }
  return bands;
}

bool reads_by_lines(const Graph& graph, const Step& step, size_t i,
                    int64_t lines) {
  return Finder(graph, {}).reads_by_lines(step, i, lines);
}

std::vector<size_t> ends_of_bands(const StepPlan& plan) {
  std::vector<size_t> ends(plan.steps.size());
  for (size_t s = 0; s < ends.size(); ++s) ends[s] = s + 1;
  for (const Band& band : plan.bands) {
    std::fill_n(ends.begin() + static_cast<std::ptrdiff_t>(band.first),
                band.count, band.first + band.count);
  }
  return ends;
}

bool is_read_by_lines(const StepPlan& plan, size_t step, size_t value) {
  const Band* const band = run_of(plan.bands, step);
  if (band == nullptr) return true;
  const Finder finder(plan.graph, plan.steps);
  for (size_t s = band->first; s < step; ++s) {
    const Step& before = plan.steps[s];
    for (size_t i = 0; i < before.reads.size(); ++i) {
      if (before.reads[i] == value &&
          !finder.reads_by_lines(before, i, band->lines)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace hlo::cpu
