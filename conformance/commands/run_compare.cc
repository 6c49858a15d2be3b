#include "conformance/commands/run_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "backends/registry/make_backend.h"
#include "conformance/commands/before_after/run_translation.h"
#include "conformance/commands/comparison/comparison.h"
#include "conformance/commands/options/judging.h"
#include "conformance/commands/options/workload.h"
#include "conformance/commands/verified_program.h"
#include "conformance/expect/collective_call.h"
#include "conformance/files/file_use.h"
#include "conformance/files/output_file.h"
#include "conformance/files/output_into.h"
#include "conformance/files/printable.h"
#include "conformance/files/progress.h"
#include "conformance/files/standard_output.h"
#include "conformance/files/terminal.h"
#include "conformance/levels/profile_text.h"
#include "conformance/literals/inputs.h"
#include "conformance/report/exit_code.h"
#include "conformance/report/junit.h"
#include "conformance/report/summary.h"
#include "conformance/translation/dump_folder.h"
#include "interpreter/counted.h"
#include "interpreter/devices/devices.h"
#include "interpreter/evaluate.h"

namespace hlo::conformance {
namespace {

void append(std::string& text, const char* option,
            const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    text += option + shell_quoted(value);
  }
}

std::string command(const CompareOptions& options) {
  std::string text = "assay compare " + shell_quoted(options.file) +
                     " --backend " + shell_quoted(options.backend);
  text += judging_words(print(profile_of(options)), options.backend,
                        options.timeout);
  if (options.filter != "*") {
    text += " --filter " + shell_quoted(options.filter);
  }
  append(text, " --input ", options.inputs);
  append(text, " --infeed ", options.infeed);
  append(text, " --custom-calls ", options.custom_calls);
  append(text, " --waivers ", options.waiving.files);
  if (options.waiving.strict) text += " --strict";
  return text;
}

/// Adds what comes of the program to the summary. Prints it, unless further
/// programs follow.
int compare(const CompareOptions& options, const std::string& source,
            const CompareRun& run, bool is_last) {
  const Module module = verified_program(source, options.inputs);
  std::vector<std::vector<Literal>> inputs =
      make_device_inputs(module, options.inputs);
  // Each instruction runs here and on the backend, and what comes is judged.
  constexpr int64_t kRuns = 3;
  const std::shared_ptr<Budget> budget =
      budget_for(options.max_work, inputs, kRuns);
  Comparison comparison(options, grid_of(module), *budget, run);
  const CustomCalls functions = load_custom_calls(options.custom_calls);
  EvaluatorOptions evaluation;
  evaluation.threads = options.jobs;
  evaluation.plans = plans_of(options.plans);
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
  std::optional<WorkProgress> progress;
  if (is_last) progress.emplace(budget);
  try {
    evaluate_devices(module, std::move(inputs), evaluation);
    comparison.see_rest();
    progress.reset();
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
                const CompareRun& run, bool is_last) {
  options.file = file;
  std::string source;
  try {
    source = read_program(file);
    return compare(options, source, run, is_last);
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

void write_junit(OutputFile* file, const Summary& summary,
                 const std::string& backend) {
  if (file == nullptr) return;
  file->append(junit({{&summary, backend}}));
  file->commit();
}

/// Whether it was the filter that left no instruction to compare.
bool selects_nothing(const CompareOptions& options, const Summary& summary) {
  return options.filter != "*" && summary.total().judged() == 0 &&
         summary.exit_code() == kNothing;
}

int compare_program(CompareOptions options, OutputFile* junit_file,
                    std::vector<FailingProgram>& failing) {
  if (options.file.empty()) options.file = options.files.at(0);
  Summary summary(command(options), /*filters=*/false);
  summary.keep_tests();
  Waivers waivers(options.waiving, options.backend, declared_tags);
  summary.set_waivers(&waivers, options.waiving.strict);
  const int code =
      compare_one(options, options.file, {summary, waivers, failing},
                  /*is_last=*/true);
  write_junit(junit_file, summary, options.backend);
  if (code != kNothing || !selects_nothing(options, summary)) return code;
  return report_no_case(options.filter);
}

/// Several programs, each by itself, and what came of all of them.
int compare_files(CompareOptions options, OutputFile* junit_file,
                  std::vector<FailingProgram>& failing) {
  const std::vector<std::string> files = program_files(options.files);
  if (files.empty()) {
    complain("the folder has no .mlir, .hlo or .txt\n");
    return kNothing;
  }
  if (options.inputs.empty()) options.inputs = {"random:1"};
  options.file = options.files.front();
  Summary summary(command(options), /*filters=*/false);
  summary.keep_tests();
  Waivers waivers(options.waiving, options.backend, declared_tags);
  summary.set_waivers(&waivers, options.waiving.strict);
  int64_t refused = 0;
  std::optional<CountedProgress> progress(std::in_place, std::ssize(files),
                                          "program");
  for (const std::string& file : files) {
    const int before = summary.exit_code();
    const int code = compare_one(options, file, {summary, waivers, failing},
                                 /*is_last=*/false);
    progress->step();
    if (code != kConforms && summary.exit_code() == before) ++refused;
    if (code == kBroken) return code;
  }
  progress.reset();
  write_junit(junit_file, summary, options.backend);
  say("{}\n{}{}; {}, {} not run to the end\n", summary.table(output_width()),
      printable(summary.waiver_lines()), verdict_line(summary, options.backend),
      counted(std::ssize(files), "program"), refused);
  if (refused == 0 && selects_nothing(options, summary)) {
    return report_no_case(options.filter);
  }
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
  require_evaluable(files || options.shrink.count == 0, "usage.compare",
                    {"--shrink is given without FILE"},
                    "it must go with a program whose instructions are judged");
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

std::vector<std::string> programs_of(const CompareOptions& options) {
  std::vector<std::string> programs = options.files;
  for (const std::string& file :
       {options.file, options.before, options.after}) {
    if (!file.empty()) programs.push_back(file);
  }
  return programs;
}

int compare_any(const CompareOptions& options, OutputFile* junit_file,
                std::vector<FailingProgram>& failing) {
  if (options.file.empty() && options.files.empty()) {
    return run_translation(options);
  }
  chosen_backend(options.backend);  // wrong names are found before all else
  const bool several = options.files.size() > 1 ||
                       (options.files.size() == 1 &&
                        std::filesystem::is_directory(options.files[0]));
  return several ? compare_files(options, junit_file, failing)
                 : compare_program(options, junit_file, failing);
}

}  // namespace

int run_compare(const CompareOptions& options) {
  try {
    check_kind(options);
    profile_of(options);
    FileUse use = files_of(programs_of(options), options);
    use.read(options.waiving.files);
    OutputInto output(options.output, use);
    std::optional<OutputFile> junit_file;
    if (!options.junit.empty()) junit_file.emplace(options.junit, use);
    std::vector<FailingProgram> failing;
    const int code =
        compare_any(options, junit_file ? &*junit_file : nullptr, failing);
    shrink_failures(
        failing, options.shrink, use, options.backend,
        {.profile = profile_of(options), .most = Seconds(options.timeout)});
    output.commit();
    return code;
  } catch (const Error& error) {
    return report_error(error, "", "");
  }
}

}  // namespace hlo::conformance
