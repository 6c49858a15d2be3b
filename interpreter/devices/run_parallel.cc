#include "interpreter/devices/run_parallel.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "interpreter/devices/devices.h"
#include "interpreter/rules/devices/parallel_programs.h"

namespace hlo {
namespace {

void append_flat(std::vector<Literal>& values, const Literal& value) {
  if (!value.shape().is_tuple()) {
    values.push_back(value);
    return;
  }
  values.insert(values.end(), value.elements().begin(), value.elements().end());
}

}  // namespace

Literal run_parallel(const Instruction& custom_call, Operands operands,
                     Evaluator& evaluator, bool is_watched) {
  const ParallelPrograms plan = parallel_programs(custom_call);
  EvaluatorOptions options = evaluator.options();
  require_depth(++options.depth);
  // Who watches a program sees its instructions, not what they run inside,
  // unless that is asked for.
  if (!is_watched) {
    options.observer = {};
    options.observer_of = {};
    options.meeting_observer = {};
  }
  options.infeed = {};  // they have a queue of their own
  std::deque<Literal> infeed;
  for (const Computation* queue : plan.infeed) {
    Evaluator source(evaluator.valuation(), options);
    infeed.push_back(source.run(*queue, {}));
  }
  std::vector<DeviceProgram> programs;
  auto argument = operands.begin();
  for (const Computation* program : plan.programs) {
    const auto end = argument + std::ssize(program->parameters);
    programs.push_back({program, {argument, end}});
    argument = end;
  }
  GridResult run = run_grid(evaluator.valuation(), plan.grid,
                            std::move(programs), std::move(infeed), options);
  for (Outfed& value : run.outfeed) {
    evaluator.network().record_outfeed(value.device, std::move(value.value));
  }
  std::vector<Literal> results;
  for (const Literal& result : run.results) append_flat(results, result);
  const Literal whole = custom_call.shape.is_tuple()
                            ? Literal::tuple(std::move(results))
                            : results.at(0);
  return whole.with_shape(custom_call.shape);
}

}  // namespace hlo
