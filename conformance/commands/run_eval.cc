#include "conformance/commands/run_eval.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/commands/options/workload.h"
#include "conformance/commands/verified_program.h"
#include "conformance/expect/collective_call.h"
#include "conformance/files/file_use.h"
#include "conformance/files/output_folder.h"
#include "conformance/files/standard_output.h"
#include "conformance/files/terminal.h"
#include "conformance/judge/judge_check.h"
#include "conformance/literals/digest.h"
#include "conformance/literals/inputs.h"
#include "conformance/literals/npy.h"
#include "conformance/literals/short_text.h"
#include "conformance/report/exit_code.h"
#include "interpreter/devices/devices.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

bool is_folder(const std::string& output) {
  return output != "print" && output != "none" && output != "digest";
}

/// Where the leaves of results go.
struct Output {
  std::string kind;                  // print, none, digest, or a folder
  std::optional<int64_t> most = {};  // elements of an array, to be read
  bool is_short = false;             // some were left out
  size_t leaves = 0;                 // so many until now
  std::optional<OutputFolder> folder = {};

  bool speaks() const { return kind == "print" || kind == "digest"; }
};

/// "f32[2] {1, 2}", "f32[<=3](2) {1, 2}", "token[]".
std::string leaf_text(const Literal& leaf, Output& output) {
  std::string shape = to_string(leaf.shape());
  if (!leaf.shape().is_array()) return shape;
  const bool sized = !leaf.dynamic_sizes().empty();
  if (!sized) shape += " ";
  if (!output.most || leaf.element_count() <= *output.most) {
    return shape + text::print(leaf);
  }
  output.is_short = true;
  return shape + short_text(leaf, *output.most);
}

void write_leaf(const Literal& leaf, Output& output) {
  const size_t number = output.leaves++;
  if (output.kind == "print") {
    say(leaf_text(leaf, output) + "\n");
  } else if (output.kind == "digest") {
    say("{}  {}\n", digest(leaf), to_string(leaf.shape()));
  } else if (output.folder && leaf.shape().is_array()) {
    output.folder->write(std::to_string(number) + ".npy", write_npy(leaf));
  }
}

/// "// replica 0, partition 1".
std::string heading(std::string_view what, const Device& device) {
  return "// " + std::string(what) + to_string(device) + "\n";
}

void write_results(const Module& module, const GridResult& run,
                   Output& output) {
  const Grid grid = grid_of(module);
  output.leaves = 0;
  for (size_t i = 0; i < run.results.size(); ++i) {
    if (output.speaks() && run.results.size() > 1) {
      const Device device = device_of(static_cast<int64_t>(i), grid);
      say(heading("", device));
    }
    for (const Literal* leaf : leaves(run.results[i])) {
      write_leaf(*leaf, output);
    }
  }
  if (!output.speaks()) return;
  for (const Outfed& value : run.outfeed) {
    say(heading("outfeed of ", value.device));
    for (const Literal* leaf : leaves(value.value)) write_leaf(*leaf, output);
  }
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
  Output output{.kind = options.output};
  constexpr int64_t kReadable = 1000;
  if (!options.all && output_width()) output.most = kReadable;
  if (is_folder(options.output)) {
    require_evaluable(programs.size() == 1, "input.programs",
                      {"there are ", Count{std::ssize(programs), "program"}},
                      "a folder can take the results of one only");
    output.folder.emplace(options.output, files_of({options.file}, options));
  }
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
  if (output.folder) output.folder->commit();
  if (output.is_short) say("// --all prints every element\n");
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
