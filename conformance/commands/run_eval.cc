#include "conformance/commands/run_eval.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "conformance/commands/verified_program.h"
#include "conformance/expect/collective_call.h"
#include "conformance/files/file_use.h"
#include "conformance/files/output_folder.h"
#include "conformance/files/standard_output.h"
#include "conformance/judge/judge_check.h"
#include "conformance/literals/digest.h"
#include "conformance/literals/inputs.h"
#include "conformance/literals/npy.h"
#include "conformance/report/exit_code.h"
#include "interpreter/devices/devices.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

bool is_folder(const std::string& output) {
  return output != "print" && output != "none" && output != "digest";
}

FileUse use_of(const EvalOptions& options) {
  FileUse use;
  use.read(options.file);
  use.read(input_files(options.inputs));
  use.read(input_files(options.infeed));
  use.read(options.custom_calls);
  return use;
}

/// "f32[2] {1, 2}", "f32[<=3](2) {1, 2}", "token[]".
std::string leaf_text(const Literal& leaf) {
  std::string shape = to_string(leaf.shape());
  if (!leaf.shape().is_array()) return shape;
  const bool sized = !leaf.dynamic_sizes().empty();
  return shape + (sized ? "" : " ") + text::print(leaf);
}

void write_leaf(const Literal& leaf, size_t number, const std::string& output,
                std::optional<OutputFolder>& folder) {
  if (output == "print") {
    say(leaf_text(leaf) + "\n");
  } else if (output == "digest") {
    say("{}  {}\n", digest(leaf), to_string(leaf.shape()));
  } else if (folder && leaf.shape().is_array()) {
    folder->write(std::to_string(number) + ".npy", write_npy(leaf));
  }
}

/// "// replica 0, partition 1".
std::string heading(std::string_view what, const Device& device) {
  return "// " + std::string(what) + to_string(device) + "\n";
}

void write_results(const Module& module, const GridResult& run,
                   const std::string& output,
                   std::optional<OutputFolder>& folder) {
  const Grid grid = grid_of(module);
  const bool speaks = output == "print" || output == "digest";
  size_t number = 0;
  for (size_t i = 0; i < run.results.size(); ++i) {
    if (speaks && run.results.size() > 1) {
      const Device device = device_of(static_cast<int64_t>(i), grid);
      say(heading("", device));
    }
    for (const Literal* leaf : leaves(run.results[i])) {
      write_leaf(*leaf, number++, output, folder);
    }
  }
  if (!speaks) return;
  for (const Outfed& value : run.outfeed) {
    say(heading("outfeed of ", value.device));
    for (const Literal* leaf : leaves(value.value)) {
      write_leaf(*leaf, number++, output, folder);
    }
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

/// Evaluate error "evaluate.plans" for what names no families.
PlanSet plans_of(const EvalOptions& options) {
  const auto plans = PlanSet::parse(options.plans);
  require_evaluable(plans.has_value(), "evaluate.plans",
                    {"--plans is \"", options.plans, "\""}, [] {
                      return "it must be all, none, or families as in "
                             "-fold,-sort; the families are " +
                             PlanSet::names();
                    });
  return *plans;
}

bool evaluate_programs(const EvalOptions& options, const std::string& source) {
  const std::vector<Module> programs =
      verified_programs(source, options.inputs);
  std::optional<OutputFolder> folder;
  if (is_folder(options.output)) {
    require_evaluable(programs.size() == 1, "input.programs",
                      {"there are ", Count{std::ssize(programs), "program"}},
                      "a folder can take the results of one only");
    folder.emplace(options.output, use_of(options));
  }
  const CustomCalls functions = load_custom_calls(options.custom_calls);
  EvaluatorOptions evaluation;
  evaluation.threads = options.threads;
  evaluation.max_work = options.max_work;
  evaluation.plans = plans_of(options);
  evaluation.custom_calls = &functions;
  bool holds = true;
  for (const Module& module : programs) {
    evaluation.infeed = make_infeed(options.infeed);
    const CheckedRun checked = evaluate_with_checks(
        module, make_device_inputs(module, options.inputs), evaluation);
    write_results(module, checked.run, options.output, folder);
    holds = report_checks(checked.outcomes, options.file) && holds;
  }
  if (folder) folder->commit();
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
