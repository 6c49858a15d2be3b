#include "conformance/commands/sweep_figures.h"

#include <fmt/format.h>

#include "conformance/files/read_file.h"
#include "conformance/sweep/recorded/sweep_file.h"
#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

Figure figure_of(const RecordedSweep& sweep) {
  const SweptOperation& operation = sweep.result.operation;
  std::string title = fmt::format("{} of {} on {}", operation.op->name,
                                  name(operation.type), sweep.result.backend);
  if (sweep.known < sweep.chunks) {
    title += fmt::format(", {} of {} chunks only", sweep.known, sweep.chunks);
  }
  return {.title = std::move(title),
          .text = report(sweep.result),
          .svg = draw_sweep(sweep.result, SweepPlan(operation, sweep.range))};
}

}  // namespace

std::vector<Figure> sweep_figures(const std::vector<std::string>& files) {
  std::vector<Figure> figures;
  for (const std::string& file : files) {
    try {
      figures.push_back(figure_of(read_sweep(read_file(file))));
    } catch (const Error& error) {
      if (error.rule() == "file.read") throw;
      throw Error(Phase::kEvaluate, "sweep.file",
                  shortened(file) + ": " + error.message());
    }
  }
  return figures;
}

}  // namespace hlo::conformance
