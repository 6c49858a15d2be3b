#include "conformance/commands/run_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "backends/backend.h"
#include "backends/registry/make_backend.h"
#include "conformance/commands/before_after/run_translation.h"
#include "conformance/commands/verified_program.h"
#include "conformance/expect/collective_call.h"
#include "conformance/files/standard_output.h"
#include "conformance/files/stop.h"
#include "conformance/judge/collective_calls.h"
#include "conformance/judge/judge_instruction.h"
#include "conformance/judge/run_case.h"
#include "conformance/judge/worker.h"
#include "conformance/levels/profile_text.h"
#include "conformance/literals/inputs.h"
#include "conformance/report/exit_code.h"
#include "conformance/report/summary.h"
#include "conformance/translation/dump_folder.h"
#include "interpreter/counted.h"
#include "interpreter/devices/devices.h"
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

int64_t element_count(std::span<const Literal> values) {
  int64_t elements = 0;
  for (const Literal& leaf : array_leaves(values)) {
    elements += leaf.element_count();
  }
  return elements;
}

/// EvaluatorOptions::max_work of the program and its comparisons.
std::shared_ptr<Budget> budget_for(
    const CompareOptions& options,
    const std::vector<std::vector<Literal>>& inputs) {
  int64_t elements = 0;
  for (const std::vector<Literal>& list : inputs) {
    elements += element_count(list);
  }
  return std::make_shared<Budget>(
      options.max_work > 0 ? options.max_work : Budget::by_inputs(elements));
}

/// What it takes to run an instruction by itself and to judge what comes out,
/// which has so many elements.
int64_t work_of_comparison(const Instruction& instruction, int64_t elements) {
  constexpr int64_t kModule = 15'000;
  constexpr int64_t kElement = 10;
  const int64_t judging = kModule + elements * kElement;
  return std::max(judging, work_of(instruction));
}

/// " on replica 0, partition 1", where there are several devices.
std::string place(const Device& device, const Grid& grid) {
  return grid.count() == 1 ? "" : " on " + to_string(device);
}

Profile profile_of(const CompareOptions& options) {
  return options.profile.empty() ? Profile() : parse_profile(options.profile);
}

void append(std::string& text, const char* option,
            const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    text += option + shell_quoted(value);
  }
}

std::string command(const CompareOptions& options) {
  std::string text = "assay compare " + shell_quoted(options.file) +
                     " --backend " + shell_quoted(options.backend);
  if (profile_of(options) != Profile()) {
    text += " --profile " + shell_quoted(options.profile);
  }
  append(text, " --input ", options.inputs);
  append(text, " --infeed ", options.infeed);
  append(text, " --custom-calls ", options.custom_calls);
  return text;
}

/// Runs on the backend what the reference has just run, and judges it.
class Comparison {
 public:
  Comparison(const CompareOptions& options, const Grid& grid, Budget& budget,
             Summary& summary)
      : options_(options),
        grid_(grid),
        budget_(budget),
        backend_(make_backend(options.backend)),
        profile_(profile_of(options)),
        summary_(summary),
        on_stop_([this] { finish(/*is_whole=*/false); }) {}

  void see(const Device& device, const Instruction& instruction,
           Operands operands, const Literal& reference) {
    if (names_device(instruction)) return see_device(instruction);
    if (!is_compared(instruction)) return;
    budget_.spend(
        work_of_comparison(instruction, element_count({&reference, 1})));
    const std::string where = place(device, grid_);
    const std::optional<Observation> answer = answer_in_time(
        one_instruction(instruction), arguments_of_one(instruction, operands));
    if (!answer) return report_silence(instruction, where);
    report(
        instruction, where,
        judge_instruction(instruction, operands, reference, *answer, profile_));
  }

  void see(const Meeting& meeting) {
    if (const auto call = calls_.add(meeting)) compare(*call);
  }

  /// The collectives to which not all devices came.
  void see_rest() {
    while (const auto call = calls_.next()) compare(*call);
  }

  /// Whether as many instructions have failed as were asked for.
  bool is_enough() const { return failed_ == options_.failures; }

  /// From now on a signal finds nothing to print.
  void leave() {
    const auto lock = uninterrupted();
    finished_ = true;
  }

  /// Prints what there is; the exit code.
  int finish(bool is_whole) {
    const auto lock = uninterrupted();
    if (std::exchange(finished_, true)) return kIncomplete;
    say("{}\n{}{}\n", summary_.table(),
        verdict_line(summary_, options_.backend), is_whole ? "" : stop_text());
    flush_output();
    return summary_.exit_code();
  }

 private:
  std::string stop_text() const {
    if (!is_enough()) return "; stopped before the program ended";
    return fmt::format(
        "; stopped where {} (--failures N goes on)",
        counted(failed_, "instruction had failed", "instructions had failed"));
  }

  /// All devices run it as one program, when the first of them has.
  void see_device(const Instruction& instruction) {
    if (!named_.insert(&instruction).second) return;
    CollectiveCall call{&instruction, grid_, {}};
    for (int64_t i = 0; i < grid_.count(); ++i) call.operands[i] = {};
    compare(call);
  }

  void compare(const CollectiveCall& call) {
    const std::shared_ptr<const Module> module = module_of(call);
    if (module == nullptr) return;
    std::vector<Literal> leaves;
    for (const std::vector<Literal>& own : arguments_of(call)) {
      std::ranges::move(array_leaves(own), std::back_inserter(leaves));
    }
    budget_.spend(saturating_product(
        {grid_.count(),
         work_of_comparison(*call.collective, element_count(leaves))}));
    const std::optional<Observation> answer = answer_in_time(module, leaves);
    if (!answer) return report_silence(*call.collective, {});
    report(*call.collective, {}, judge_call(call, *module, *answer, profile_));
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

  void report_silence(const Instruction& instruction,
                      const std::string& where) {
    Judgement judgement{
        .verdict = Verdict::kCrashed,
        .message = fmt::format("no answer within {:g} s", options_.timeout),
        .difference = {},
        .closeness = {},
        .again = {}};
    report(instruction, where, std::move(judgement));
  }

  /// `where` is the device that ran it; empty where all did. Ends the run of
  /// the program where that is enough.
  void report(const Instruction& instruction, const std::string& where,
              Judgement judgement) {
    Case c;
    c.id = fmt::format("{}/{}/{}", instruction.op->name,
                       type_name(instruction.shape), instruction.name);
    c.statement = shown(instruction) + where;
    c.file = options_.file;
    c.line = instruction.location.line;
    const auto lock = uninterrupted();
    const bool bad =
        is_failure(judgement.verdict) || is_broken(judgement.verdict);
    const Finding* finding =
        summary_.add(c, {.judgement = std::move(judgement), .seconds = 0});
    if (finding != nullptr) say("{}\n", printable(describe(*finding)));
    if (!bad) return;
    flush_output();
    ++failed_;
    if (is_enough()) throw Error(Phase::kEvaluate, "evaluate.stopped", "");
  }

  const CompareOptions& options_;
  Grid grid_;
  Budget& budget_;
  std::shared_ptr<Backend> backend_;
  Worker worker_;
  Profile profile_;
  Summary& summary_;
  int failed_ = 0;
  bool finished_ = false;
  std::map<const Instruction*, std::shared_ptr<const Module>> modules_;
  CollectiveCalls calls_;
  std::set<const Instruction*> named_;
  OnStop on_stop_;
};

/// Adds what comes of the program to the summary. Prints it, unless further
/// programs follow.
int compare(const CompareOptions& options, const std::string& source,
            Summary& summary, bool is_last) {
  const Module module = verified_program(source, options.inputs);
  std::vector<std::vector<Literal>> inputs =
      make_device_inputs(module, options.inputs);
  const std::shared_ptr<Budget> budget = budget_for(options, inputs);
  Comparison comparison(options, grid_of(module), *budget, summary);
  const CustomCalls functions = load_custom_calls(options.custom_calls);
  EvaluatorOptions evaluation;
  evaluation.threads = options.threads;
  evaluation.budget = budget;
  evaluation.custom_calls = &functions;
  evaluation.infeed = make_infeed(options.infeed);
  evaluation.observer_of = [&](const Device& device) {
    return [&, device](const Instruction& instruction, Operands operands,
                       const Literal& result) {
      comparison.see(device, instruction, operands, result);
    };
  };
  evaluation.meeting_observer = [&](const Meeting& meeting) {
    comparison.see(meeting);
  };
  try {
    evaluate_devices(module, std::move(inputs), evaluation);
    comparison.see_rest();
  } catch (const Error&) {
    if (!is_last) {
      comparison.leave();
      if (comparison.is_enough()) return kDiffers;
      throw;
    }
    const int code = comparison.finish(/*is_whole=*/false);
    if (comparison.is_enough()) return code;
    throw;
  }
  if (is_last) return comparison.finish(/*is_whole=*/true);
  comparison.leave();
  return kConforms;
}

int compare_one(CompareOptions options, const std::string& file,
                Summary& summary, bool is_last) {
  options.file = file;
  std::string source;
  try {
    source = read_program(file);
    return compare(options, source, summary, is_last);
  } catch (const Error& error) {
    return report_error(error, file, source);
  }
}

/// The files, and in the place of folders the programs in them.
std::vector<std::string> program_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (!std::filesystem::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    for (const std::string& name : names_in_folder(path)) {
      const std::filesystem::path file = std::filesystem::path(path) / name;
      const bool is_program = file.extension() == ".mlir" ||
                              file.extension() == ".hlo" ||
                              file.extension() == ".txt";
      if (is_program) files.push_back(file.string());
    }
  }
  return files;
}

/// Several programs, each by itself, and what came of all of them.
int compare_files(CompareOptions options) {
  const std::vector<std::string> files = program_files(options.files);
  if (files.empty()) {
    complain("the folder has no .mlir, .hlo or .txt\n");
    return kNothing;
  }
  if (options.inputs.empty()) options.inputs = {"random:1"};
  options.file = options.files.front();
  Summary summary(command(options), /*filters=*/false);
  int64_t refused = 0;
  for (const std::string& file : files) {
    const int before = summary.exit_code();
    const int code = compare_one(options, file, summary, /*is_last=*/false);
    if (code != kConforms && summary.exit_code() == before) ++refused;
    if (code == kBroken) return code;
  }
  say("{}\n{}; {}, {} not run to the end\n", summary.table(),
      verdict_line(summary, options.backend),
      counted(std::ssize(files), "program"), refused);
  return refused > 0 ? std::max<int>(summary.exit_code() % kNothing, kDiffers)
                     : summary.exit_code();
}

/// Which of the three kinds of comparison is asked for.
void check_kind(const CompareOptions& options) {
  const bool before = !options.before.empty();
  const bool after = !options.after.empty();
  const bool files = !options.files.empty() || !options.file.empty();
  const bool dump = !options.dump.empty();
  const auto kinds =
      std::ranges::count(std::vector<bool>{files, before || after, dump}, true);
  if (kinds == 1 && before == after) return;
  throw Error(
      Phase::kParse, "usage.compare",
      before != after
          ? std::string(before ? "--before is given without --after"
                               : "--after is given without --before") +
                ", but they go together"
          : std::string(kinds == 0 ? "no program is given"
                                   : "several kinds of programs are given") +
                ", but it must be FILE, --before with --after, or --dump");
}

}  // namespace

int run_compare(const CompareOptions& options) {
  try {
    check_kind(options);
    profile_of(options);
    if (options.file.empty() && options.files.empty()) {
      return run_translation(options);
    }
    const bool several = options.files.size() > 1 ||
                         (options.files.size() == 1 &&
                          std::filesystem::is_directory(options.files[0]));
    if (several) return compare_files(options);
  } catch (const Error& error) {
    return report_error(error, "", "");
  }
  CompareOptions one = options;
  if (one.file.empty()) one.file = one.files.at(0);
  Summary summary(command(one), /*filters=*/false);
  return compare_one(one, one.file, summary, /*is_last=*/true);
}

}  // namespace hlo::conformance
