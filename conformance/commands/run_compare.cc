#include "conformance/commands/run_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "backends/backend.h"
#include "backends/registry/make_backend.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/standard_output.h"
#include "conformance/files/stop.h"
#include "conformance/judge/judge_instruction.h"
#include "conformance/judge/run_case.h"
#include "conformance/judge/worker.h"
#include "conformance/levels/profile_text.h"
#include "conformance/literals/inputs.h"
#include "conformance/report/exit_code.h"
#include "conformance/report/summary.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/clone.h"
#include "interpreter/rules/work.h"
#include "interpreter/shortened.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

/// The text of an instruction on one line of bearable length.
std::string shown(const Instruction& instruction) {
  constexpr size_t kMostText = 400;
  return shortened(text::print(instruction), kMostText);
}

std::string type_name(const Shape& shape) {
  return std::string(name(shape.element_type));
}

/// EvaluatorOptions::max_work of the program and its comparisons.
std::shared_ptr<Budget> budget_for(const CompareOptions& options,
                                   const std::vector<Literal>& inputs) {
  int64_t elements = 0;
  for (const Literal& leaf : array_leaves(inputs)) {
    elements += leaf.element_count();
  }
  return std::make_shared<Budget>(
      options.max_work > 0 ? options.max_work : Budget::by_inputs(elements));
}

/// What it takes to run an instruction by itself and to judge what comes out.
int64_t work_of_comparison(const Instruction& instruction,
                           const Literal& reference) {
  constexpr int64_t kModule = 15'000;
  constexpr int64_t kElement = 10;
  int64_t elements = 0;
  for (const Literal& leaf : array_leaves(reference)) {
    elements += leaf.element_count();
  }
  const int64_t judging = kModule + elements * kElement;
  return std::max(judging, work_of(instruction));
}

/// Runs on the backend what the reference has just run, and judges it.
class Comparison {
 public:
  Comparison(const CompareOptions& options, Budget& budget)
      : options_(options),
        budget_(budget),
        backend_(make_backend(options.backend)),
        profile_(parse_profile(options.profile)),
        summary_(command(options), /*filters=*/false),
        on_stop_([this] { finish(/*is_whole=*/false); }) {}

  void see(const Instruction& instruction, Operands operands,
           const Literal& reference) {
    if (!is_compared(instruction)) return;
    budget_.spend(work_of_comparison(instruction, reference));
    const std::optional<Observation> answer = answer_in_time(
        one_instruction(instruction), arguments_of_one(instruction, operands));
    if (!answer) return report_silence(instruction);
    report(instruction, judge_instruction(instruction, operands, reference,
                                          *answer, profile_));
  }

  /// Prints what there is; the exit code.
  int finish(bool is_whole) {
    const auto lock = uninterrupted();
    if (std::exchange(finished_, true)) return kIncomplete;
    say("{}\n{}{}\n", summary_.table(),
        verdict_line(summary_, options_.backend),
        is_whole ? "" : "; stopped before the program ended");
    flush_output();
    return summary_.exit_code();
  }

 private:
  static std::string command(const CompareOptions& options) {
    std::string text = "assay compare " + shell_quoted(options.file) +
                       " --backend " + shell_quoted(options.backend);
    if (parse_profile(options.profile) != Profile()) {
      text += " --profile " + shell_quoted(options.profile);
    }
    append(text, " --input ", options.inputs);
    append(text, " --infeed ", options.infeed);
    append(text, " --custom-calls ", options.custom_calls);
    return text;
  }

  static void append(std::string& text, const char* option,
                     const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      text += option + shell_quoted(value);
    }
  }

  std::shared_ptr<const Module> one_instruction(
      const Instruction& instruction) {
    std::shared_ptr<const Module>& module = modules_[&instruction];
    if (module == nullptr) {
      module = std::make_shared<const Module>(extract_sized(instruction));
    }
    return module;
  }

  /// What the backend makes of the module; nothing where that takes too long.
  std::optional<Observation> answer_in_time(
      const std::shared_ptr<const Module>& module,
      const std::vector<Literal>& leaves) {
    const auto answer = std::make_shared<Observation>();
    const auto job = [answer, module, leaves, backend = backend_] {
      *answer = observe(*backend, *module, leaves);
    };
    if (worker_.run(job, Seconds(options_.timeout))) return *answer;
    backend_ = make_backend(options_.backend);
    return std::nullopt;
  }

  void report_silence(const Instruction& instruction) {
    Judgement judgement{
        .verdict = Verdict::kCrashed,
        .message = fmt::format("no answer within {:g} s", options_.timeout),
        .difference = {},
        .closeness = {}};
    report(instruction, std::move(judgement));
  }

  void report(const Instruction& instruction, Judgement judgement) {
    Case c;
    c.id = fmt::format("{}/{}/{}", instruction.op->name,
                       type_name(instruction.shape), instruction.name);
    c.statement = shown(instruction);
    c.file = options_.file;
    c.line = instruction.location.line;
    const auto lock = uninterrupted();
    const Finding* finding =
        summary_.add(c, {.judgement = std::move(judgement), .seconds = 0});
    if (finding == nullptr || printed_ == options_.failures) return;
    say("{}\n", printable(describe(*finding)));
    flush_output();
    ++printed_;
  }

  const CompareOptions& options_;
  Budget& budget_;
  std::shared_ptr<Backend> backend_;
  Worker worker_;
  Profile profile_;
  Summary summary_;
  int printed_ = 0;
  bool finished_ = false;
  std::map<const Instruction*, std::shared_ptr<const Module>> modules_;
  OnStop on_stop_;
};

int compare(const CompareOptions& options, const std::string& source) {
  parse_profile(options.profile);
  const Module module = verified_program(source, options.inputs);
  std::vector<Literal> inputs = make_inputs(module, options.inputs);
  const std::shared_ptr<Budget> budget = budget_for(options, inputs);
  Comparison comparison(options, *budget);
  const CustomCalls functions = load_custom_calls(options.custom_calls);
  EvaluatorOptions evaluation;
  evaluation.threads = options.threads;
  evaluation.budget = budget;
  evaluation.custom_calls = &functions;
  evaluation.infeed = make_infeed(options.infeed);
  evaluation.observer = [&](const Instruction& instruction, Operands operands,
                            const Literal& result) {
    comparison.see(instruction, operands, result);
  };
  try {
    evaluate(module, std::move(inputs), evaluation);
  } catch (const Error&) {
    comparison.finish(/*is_whole=*/false);
    throw;
  }
  return comparison.finish(/*is_whole=*/true);
}

}  // namespace

int run_compare(const CompareOptions& options) {
  std::string source;
  try {
    source = read_program(options.file);
    return compare(options, source);
  } catch (const Error& error) {
    return report_error(error, options.file, source);
  }
}

}  // namespace hlo::conformance
