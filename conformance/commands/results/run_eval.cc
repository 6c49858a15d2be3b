#include "conformance/commands/results/run_eval.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/commands/options/workload.h"
#include "conformance/commands/results/leaf_output.h"
#include "conformance/commands/verified_program.h"
#include "conformance/expect/collective_call.h"
#include "conformance/files/file_use.h"
#include "conformance/files/standard_output.h"
#include "conformance/judge/judge_check.h"
#include "conformance/literals/inputs.h"
#include "conformance/report/exit_code.h"
#include "interpreter/devices/devices.h"

namespace hlo::conformance {
namespace {

/// What operations hand on has the layout of where it comes from.
Literal laid_out(const Literal& leaf, const Shape& declared) {
  if (!leaf.shape().is_array()) return leaf;
  Shape shape = leaf.shape();
  shape.layout = declared.layout;
  return leaf.with_shape(std::move(shape));
}

void write_results(const Module& module, const GridResult& run,
                   LeafOutput& output) {
  const Grid grid = grid_of(module);
  const std::vector<const Shape*> declared =
      leaves(module.entry_layout ? module.entry_layout->result
                                 : module.entry->root->shape);
  output.restart();
  for (size_t i = 0; i < run.results.size(); ++i) {
    if (output.speaks() && run.results.size() > 1) {
      const Device device = device_of(static_cast<int64_t>(i), grid);
      say(heading("", device));
    }
    size_t k = 0;
    for (const Literal* leaf : leaves(run.results[i])) {
      output.write(laid_out(*leaf, *declared.at(k++)));
    }
  }
  write_outfeed(run.outfeed, output);
}

/// Prints the outcomes; whether all of them hold.
bool report_checks(const std::vector<CheckOutcome>& outcomes,
                   const std::string& file) {
  bool holds = true;
  for (const CheckOutcome& outcome : outcomes) {
    say("{}:{}:{}: {}\n", file, outcome.location.line, outcome.location.column,
        describe(outcome));
    holds = holds && outcome.verdict != CheckVerdict::kMismatch;
  }
  return holds;
}

CheckedRun run_program(const Module& module,
                       std::vector<std::vector<Literal>> inputs,
                       EvaluatorOptions evaluation, int64_t max_work) {
  evaluation.budget = budget_for(max_work, inputs);
  [[maybe_unused]] const WorkProgress progress(evaluation.budget);
  return evaluate_with_checks(module, std::move(inputs), evaluation);
}

bool evaluate_programs(const EvalOptions& options, const std::string& source) {
  const std::vector<Module> programs =
      verified_programs(source, options.inputs);
  require_evaluable(programs.size() == 1 || !is_folder(options.output),
                    "input.programs",
                    {"there are ", Count{std::ssize(programs), "program"}},
                    "a folder can take the results of one only");
  LeafOutput output(options.output, options.all,
                    files_of({options.file}, options));
  const CustomCalls functions = load_custom_calls(options.custom_calls);
  EvaluatorOptions evaluation;
  evaluation.threads = options.jobs;
  evaluation.plans = plans_of(options.plans);
  evaluation.custom_calls = &functions;
  bool holds = true;
  for (const Module& module : programs) {
    evaluation.infeed = make_infeed(options.infeed);
    const CheckedRun checked =
        run_program(module, make_device_inputs(module, options.inputs),
                    evaluation, options.max_work);
    write_results(module, checked.run, output);
    holds = report_checks(checked.outcomes, options.file) && holds;
  }
  output.commit();
  return holds;
}

}  // namespace

int run_eval(const EvalOptions& options) {
  std::string source;
  try {
    source = read_program(options.file);
    return evaluate_programs(options, source) ? kConforms : kDiffers;
  } catch (const Error& error) {
    return report_error(error, options.file, source);
  }
}

}  // namespace hlo::conformance
