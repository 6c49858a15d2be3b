#include "conformance/commands/run_check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "backends/backend.h"
#include "backends/registry/make_backend.h"
#include "conformance/case/case_files.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/run_case.h"
#include "conformance/levels/level.h"
#include "conformance/levels/profile_text.h"
#include "conformance/literals/text_file.h"
#include "conformance/report/events.h"
#include "conformance/report/exit_code.h"
#include "conformance/report/junit.h"
#include "conformance/report/summary.h"
#include "interpreter/counted.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

/// The line that counts cases on a terminal; nothing in a pipe.
class Progress {
 public:
  explicit Progress(size_t total)
      : total_(total), visible_(isatty(STDERR_FILENO) == 1) {}

  void step(int64_t failures) {
    ++done_;
    const auto now = std::chrono::steady_clock::now();
    if (!visible_ || now - shown_ < std::chrono::milliseconds(100)) return;
    shown_ = now;
    fmt::print(stderr, "\r{} of {}, {} ", done_,
               counted(static_cast<int64_t>(total_), "case"),
               counted(failures, "differs", "differ"));
    std::fflush(stderr);
  }

  void clear() const {
    if (visible_) fmt::print(stderr, "\r{:60}\r", "");
  }

 private:
  size_t total_;
  size_t done_ = 0;
  bool visible_;
  std::chrono::steady_clock::time_point shown_;
};

/// Red where the output is a terminal that wants colours.
std::string red(const std::string& text) {
  const bool plain =
      isatty(STDOUT_FILENO) != 1 || std::getenv("NO_COLOR") != nullptr;
  return plain ? text : "\x1b[31m" + text + "\x1b[0m";
}

/// The JSONL file, where one is asked for.
class EventFile {
 public:
  explicit EventFile(const std::string& path) : path_(path) {
    if (path.empty()) return;
    check_writable(path);
    out_.open(path, std::ios::binary | std::ios::trunc);
  }

  void write(const std::string& line) {
    if (!path_.empty()) out_ << line << '\n';
  }

  void close() {
    if (path_.empty()) return;
    out_.close();
    if (!out_) {
      throw Error(Phase::kEvaluate, "file.write", "cannot write " + path_);
    }
  }

 private:
  std::string path_;
  std::ofstream out_;
};

/// The strictest level that all cases of an operation and type pass.
void print_levels(const Summary& summary) {
  fmt::print("{:<22} {:<15} strictest level passed\n", "operation", "type");
  for (const Family* family : summary.families()) {
    if (!family->closeness.level) continue;
    const auto rank = static_cast<size_t>(*family->closeness.level);
    const bool any = rank < all_levels().size();
    fmt::print("{:<22} {:<15} {}\n", family->operation, family->type,
               any ? all_levels()[rank].name : "none");
  }
  fmt::print("\n");
}

/// Nothing where all is well, but for the table of a verbose report.
void print_counts(const Summary& summary, bool verbose) {
  const std::string text =
      verbose ? summary.table()
              : summary.findings_by_operation() + empty_bounds_line(summary);
  if (!text.empty()) fmt::print("{}\n", text);
}

void print_findings(const Summary& summary, const CheckOptions& options) {
  int64_t shown = 0;
  int64_t all = 0;
  for (const Family* family : summary.families()) {
    all += family->failures() + family->broken();
    for (const Finding& finding : family->findings) {
      if (shown == options.failures) break;
      ++shown;
      fmt::print("{}\n", describe(finding));
    }
  }
  if (all > shown) {
    fmt::print("{} more; --failures N shows more of them\n\n", all - shown);
  }
}

std::string command(const CheckOptions& options) {
  std::string text = "assay check --backend " + shell_quoted(options.backend);
  const bool chosen = parse_profile(options.profile) != Profile();
  if (chosen) text += " --profile " + shell_quoted(options.profile);
  return text;
}

Summary run_all(const CheckOptions& options, const std::vector<Case>& cases,
                EventFile& events) {
  Summary summary(command(options));
  const Judging judging{.profile = parse_profile(options.profile),
                        .levels = options.levels};
  Progress progress(cases.size());
  int64_t failures = 0;
  events.write(begin_event(options.backend, cases));
  run_cases(
      cases, options.backend, options.jobs,
      [&](const Case& c, const CaseResult& result) {
        summary.add(c, result);
        events.write(case_event(c, result.judgement));
        failures += is_failure(result.judgement.verdict) ? 1 : 0;
        progress.step(failures);
      },
      judging);
  progress.clear();
  events.write(end_event(summary));
  return summary;
}

int check(const CheckOptions& options) {
  make_backend(options.backend);  // wrong names are found before all else
  parse_profile(options.profile);
  EventFile events(options.output);
  if (!options.junit.empty()) check_writable(options.junit);
  const std::vector<Case> cases =
      load_all(case_files(options.cases), options.filter);
  if (cases.empty()) {
    fmt::print(stderr, "no case has an id like {}\n", options.filter);
    return kNothing;
  }
  const Summary summary = run_all(options, cases, events);
  print_counts(summary, options.verbose);
  if (options.levels) print_levels(summary);
  print_findings(summary, options);
  const std::string line = verdict_line(summary, options.backend);
  fmt::print("{}\n", summary.exit_code() == kConforms ? line : red(line));
  events.close();
  if (!options.junit.empty()) {
    write_file(options.junit, junit(summary, options.backend));
  }
  return summary.exit_code();
}

}  // namespace

int run_check(const CheckOptions& options) {
  try {
    return check(options);
  } catch (const Error& error) {
    fmt::print(stderr, "assay: {}: {}\n", error.rule(), error.message());
    return error.rule() == "file.write" ? kUsage : kBroken;
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "assay: {}\n", error.what());
    return kUsage;
  }
}

}  // namespace hlo::conformance
