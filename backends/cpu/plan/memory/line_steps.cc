#include "backends/cpu/plan/memory/line_steps.h"

#include <algorithm>
#include <span>

#include "backends/cpu/kernels/stream.h"

namespace hlo::cpu {
namespace {

void add_fold(LineStep& lines, const Node& fold, const ValueMemory& memory) {
  lines.fold = {fold.fold, fold.operands[0].view.dims[1],
                *memory.floats(fold.operands[1])};
  lines.folds = memory.floats(fold);
}

/// The step with those values in memory of the thread.
LineStep line_step(const StepPlan& plan, const Step& step,
                   const ValueMemory& memory, std::span<const size_t> inner) {
  const auto array = [&]<typename Byte>(size_t value, Byte* place) {
    const auto at = std::ranges::find(inner, value);
    return at == inner.end() ? LineArray<Byte>{place}
                             : LineArray<Byte>{nullptr, at - inner.begin()};
  };
  const Node& node = plan.graph.nodes[step.node];
  LineStep lines;
  if (node.kind == NodeKind::kFold) {
    lines.from = array(step.reads[0], memory.first_of(node.operands[0]));
    add_fold(lines, node, memory);
    return lines;
  }
  lines.program = &step.program;
  for (size_t i = 0; i < step.program.inputs.size(); ++i) {
    lines.inputs.push_back(array(step.reads[i], memory.memory(step.reads[i])));
  }
  if (step.writes_tiles()) {
    lines.to = array(node.results[0], memory.result(node));
  }
  if (step.fold >= 0) {
    add_fold(lines, plan.graph.nodes[static_cast<size_t>(step.fold)], memory);
  }
  return lines;
}

}  // namespace

LineStep line_step(const StepPlan& plan, const Step& step,
                   const ValueMemory& memory) {
  return line_step(plan, step, memory, {});
}

BandSteps band_steps(const StepPlan& plan, const Band& band,
                     const ValueMemory& memory) {
  BandSteps all;
  for (size_t s = band.first; s < band.first + band.count; ++s) {
    all.steps.push_back(line_step(plan, plan.steps[s], memory, band.inner));
  }
  for (const size_t value : band.inner) {
    const auto bytes = static_cast<int64_t>(plan.graph.values[value].bytes);
    all.inner.push_back({plan.offsets[value], bytes / band.lines});
  }
  return all;
}

void stream_results(const StepPlan& plan, const Band& band, BandSteps& steps) {
  const std::span all = std::span(plan.steps).subspan(band.first, band.count);
  for (size_t s = 0; s < all.size(); ++s) {
    if (!all[s].writes_tiles() || all[s].fold >= 0) continue;
    const size_t value = all[s].writes[0];
    const bool is_read =
        std::ranges::any_of(all.subspan(s + 1), [&](const Step& later) {
          return std::ranges::count(later.reads, value) != 0;
        });
    steps.steps[s].streams =
        plan.graph.values[value].bytes >= kStreamed && !is_read;
  }
}

}  // namespace hlo::cpu
