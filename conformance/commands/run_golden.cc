#include "conformance/commands/run_golden.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

#include "backends/backend.h"
#include "conformance/case/case_files.h"
#include "conformance/case/manifest.h"
#include "conformance/commands/options/workload.h"
#include "conformance/commands/results/certified_results.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/file_use.h"
#include "conformance/files/output_file.h"
#include "conformance/files/output_into.h"
#include "conformance/files/printable.h"
#include "conformance/files/progress.h"
#include "conformance/files/read_file.h"
#include "conformance/files/standard_output.h"
#include "conformance/golden/golden_case.h"
#include "conformance/golden/golden_diff.h"
#include "conformance/judge/golden.h"
#include "conformance/literals/inputs.h"
#include "conformance/report/exit_code.h"
#include "conformance/waivers/day.h"
#include "interpreter/counted.h"
#include "interpreter/error.h"
#include "interpreter/run/parallel_for.h"
#include "interpreter/run/shared_limits.h"

namespace hlo::conformance {
namespace {

std::vector<std::string> vector_files(const GoldenOptions& options) {
  std::vector<std::string> files = case_files(options.files);
  const bool reads = options.action == "verify";
  std::erase_if(files, [&](const std::string& file) {
    return !file.ends_with(".jsonl") && !(reads && file == "-");
  });
  if (!files.empty()) return files;
  throw Error(Phase::kParse, "file.read",
              "there is no vector file here, but golden needs files that end "
              "in .jsonl");
}

/// The vectors that everybody shares, and their manifest.
std::string vectors_folder() { return data_root() + "/conformance/vectors"; }

std::string manifest_path() { return vectors_folder() + "/manifest.json"; }

/// Says how the files differ from their manifest; how often.
int64_t verify_manifest(const std::vector<std::string>& files) {
  const std::vector<std::string> differences =
      manifest_differences(read_file(manifest_path()), vectors_folder(), files);
  for (const std::string& difference : differences) {
    say("manifest.json: {}\n", difference);
  }
  return std::ssize(differences);
}

int write_manifest(const std::vector<std::string>& files) {
  FileUse use;
  use.read(files);
  OutputFile out(manifest_path(), use);
  out.append(make_manifest(vectors_folder(), files));
  out.commit();
  return kConforms;
}

/// What is wrong with each case, in their order. An error is that of the first
/// case that has one.
std::vector<std::string> problems_of(const std::vector<Case>& cases, int jobs) {
  std::vector<std::string> problems(cases.size());
  std::vector<std::exception_ptr> errors(cases.size());
  std::atomic<size_t> next = 0;
  CountedProgress progress(std::ssize(cases), "case");
  parallel_for(jobs, jobs, 1, [&](int64_t /*begin*/, int64_t /*end*/) {
    for (size_t i = next++; i < cases.size(); i = next++) {
      try {
        problems[i] = verify_golden(cases[i]);
      } catch (...) {
        errors[i] = std::current_exception();
      }
      progress.step();
    }
  });
  for (const std::exception_ptr& error : errors) {
    if (error != nullptr) std::rethrow_exception(error);
  }
  return problems;
}

/// `wrong` is how much of them is wrong beside the cases.
int verify_files(const GoldenOptions& options,
                 const std::vector<std::string>& files, int64_t wrong) {
  const std::vector<Case> cases = load_all(files, options.filter);
  if (cases.empty() && options.filter != "*")
    return report_no_case(options.filter);
  const std::vector<std::string> problems = problems_of(cases, options.jobs);
  int64_t from_reference = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    const Case& c = cases[i];
    from_reference += c.from_reference ? 1 : 0;
    if (problems[i].empty()) continue;
    ++wrong;
    say("{}:{}: {}: {}\n", c.file, c.line, c.id, printable(problems[i]));
  }
  say("{} in {}: {} from the reference, {} computed without it; "
      "{} wrong\n",
      counted(std::ssize(cases), "case"), counted(std::ssize(files), "file"),
      from_reference, std::ssize(cases) - from_reference, wrong);
  return wrong == 0 ? kConforms : kDiffers;
}

/// Error "file.write" where the file is not any more what was read.
void replace(const std::string& file, const std::string& before,
             const std::string& after) {
  FileUse use;
  OutputFile out(file, use);
  if (read_file(file) != before) {
    throw Error(Phase::kEvaluate, "file.write",
                "cannot write " + file + ": it has changed meanwhile");
  }
  out.append(after);
  out.commit();
}

int bless_files(const GoldenOptions& options,
                const std::vector<std::string>& files) {
  CountedProgress progress(std::ssize(files), "file");
  for (const std::string& file : files) {
    load_cases(file);  // its errors name the file
    const std::string before = read_file(file);
    Blessing by = options.by;
    if (by.when == "today") by.when = today();
    const std::string after = bless(before, file, options.filter, by);
    progress.step();
    if (after == before) continue;
    replace(file, before, after);
    say("blessed {}\n", file);
  }
  return kConforms;
}

/// The cases of the tier full, to be kept, looked at or changed by hand.
int draw_cases(const GoldenOptions& options) {
  const std::unique_ptr<CheckCases> cases =
      cases_of_tier("full", options.files, options.filter, options.drawing);
  if (cases->count() == 0) return report_no_case(options.filter);
  CountedProgress progress(cases->count(), "case");
  say("{{\"generator\":\"assay golden draw\",\"command\":\"assay golden draw "
      "--seed {}\",\"notes\":{{\"Random\":\"instructions of random programs, "
      "with operands and layouts drawn at random\"}},\"do_not_edit\":true}}\n",
      options.drawing.seed);
  for (std::vector<Case> part; !(part = cases->next()).empty();) {
    for (const Case& c : part) {
      say("{}\n", print_case(c));
      progress.step();
    }
  }
  return kConforms;
}

bool is_seed(const std::string& text) { return text.starts_with("random:"); }

/// What each case of a program gets: one list of texts, or a seed for each.
std::vector<std::vector<std::string>> input_lists(
    const std::vector<std::string>& inputs) {
  if (inputs.empty()) return {{"random:1"}};
  if (!std::ranges::all_of(inputs, is_seed)) return {inputs};
  std::vector<std::vector<std::string>> lists;
  for (const std::string& seed : inputs) lists.push_back({seed});
  return lists;
}

/// Adds the cases of the programs of a file, with these inputs; those of
/// programs without any where `is_first`.
void make_cases(const std::string& file, std::string_view source,
                const std::vector<std::string>& inputs, bool is_first,
                int64_t max_work, std::vector<Case>& cases) {
  const std::vector<Module> programs = verified_programs(source, inputs);
  const std::string shown = std::filesystem::path(file).filename().string();
  for (size_t k = 0; k < programs.size(); ++k) {
    const bool has_inputs = !programs[k].entry->parameters.empty();
    if (!has_inputs && !is_first) continue;
    const bool is_drawn = has_inputs && is_seed(inputs.front());
    GoldenTitle title{.program = golden_name(file),
                      .inputs = !has_inputs ? "none"
                                : is_drawn  ? golden_name(inputs.front())
                                            : "given",
                      .statement = shown};
    if (programs.size() > 1) title.program += fmt::format(".{}", k + 1);
    if (is_drawn) title.statement += " with " + inputs.front();
    DeviceInputs lists;
    if (has_inputs) lists = make_device_inputs(programs[k], inputs);
    std::optional<SharedLimitsScope> limits;
    if (max_work > 0) {
      limits.emplace(SharedLimits{.budget = budget_for(max_work, lists)});
    }
    std::vector<Literal> leaves = argument_leaves(lists);
    cases.push_back(golden_case(title, programs[k], std::move(leaves)));
  }
}

std::string make_command(const GoldenOptions& options) {
  std::string text = "assay golden make";
  for (const std::string& file : options.files) text += " " + file;
  for (const std::string& input : options.inputs) text += " --input " + input;
  if (options.max_work > 0) {
    text += fmt::format(" --max-work {}", options.max_work);
  }
  return text;
}

int make_file(const GoldenOptions& options) {
  std::vector<Case> cases;
  CountedProgress progress(std::ssize(options.files), "program");
  for (const std::string& file : options.files) {
    std::string source;
    try {
      source = read_program(file);
      bool is_first = true;
      for (const auto& inputs : input_lists(options.inputs)) {
        make_cases(file, source, inputs, std::exchange(is_first, false),
                   options.max_work, cases);
      }
    } catch (const Error& error) {
      return report_error(error, file, source);
    }
    progress.step();
  }
  say(golden_file(make_command(options), cases));
  return kConforms;
}

int diff_files(const GoldenOptions& options) {
  const std::vector<std::string> lines =
      golden_differences(load_all({options.files.at(0)}, options.filter),
                         load_all({options.files.at(1)}, options.filter));
  for (const std::string& line : lines) say("{}\n", printable(line));
  say("{}\n", counted(std::ssize(lines), "difference"));
  return lines.empty() ? kConforms : kDiffers;
}

int check_backend(const GoldenOptions& options) {
  CheckOptions check = options.check;
  check.is_golden = true;
  check.cases = options.files;
  check.filter = options.filter;
  check.output = options.output;
  check.jobs = options.jobs;
  return run_check(check);
}

/// Error "usage.golden" where there are too few files, or too many.
void check_files(const GoldenOptions& options) {
  const bool is_diff = options.action == "diff";
  const bool is_fine =
      is_diff ? options.files.size() == 2 : !options.files.empty();
  require_evaluable(is_fine, "usage.golden",
                    {"golden ", options.action, " has ",
                     Count{std::ssize(options.files), "file"}},
                    is_diff ? "it must have two, before and after"
                            : "it must have at least one");
}

int run_action(const GoldenOptions& options,
               const std::vector<std::string>& files) {
  if (options.action == "make") return make_file(options);
  if (options.action == "diff") return diff_files(options);
  if (options.action == "draw") return draw_cases(options);
  if (options.action == "manifest") return write_manifest(files);
  if (options.action == "bless") return bless_files(options, files);
  const bool all = options.files.empty() && options.filter == "*";
  return verify_files(options, files, all ? verify_manifest(files) : 0);
}

}  // namespace

int run_golden(const GoldenOptions& options) {
  try {
    const std::string& action = options.action;
    const bool is_of_programs =
        action == "make" || action == "check" || action == "diff";
    if (is_of_programs) check_files(options);
    if (action == "check") return check_backend(options);
    std::vector<std::string> files;
    if (!is_of_programs && action != "draw") files = vector_files(options);
    FileUse use;
    use.read(files);
    use.read(options.files);
    use.read(input_files(options.inputs));
    OutputInto output(options.output, use);
    const int code = run_action(options, files);
    output.commit();
    flush_output();
    return code;
  } catch (const Error& error) {
    return report_error(error, "", "");
  }
}

}  // namespace hlo::conformance
