#include "conformance/commands/run_check.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "backends/backend.h"
#include "backends/registry/make_backend.h"
#include "conformance/cache/result_cache.h"
#include "conformance/case/case_files.h"
#include "conformance/commands/options/judging.h"
#include "conformance/commands/shrinking/target.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/file_use.h"
#include "conformance/files/output_file.h"
#include "conformance/files/printable.h"
#include "conformance/files/progress.h"
#include "conformance/files/read_file.h"
#include "conformance/files/standard_output.h"
#include "conformance/files/stop.h"
#include "conformance/golden/golden_case.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/run_case.h"
#include "conformance/levels/profile_text.h"
#include "conformance/report/build_hash.h"
#include "conformance/report/exit_code.h"
#include "conformance/report/junit.h"
#include "conformance/report/print_report.h"
#include "conformance/report/run_record.h"
#include "conformance/report/summary.h"
#include "conformance/shrink/failure_kind.h"
#include "conformance/tiers/shard.h"
#include "interpreter/counted.h"
#include "interpreter/error.h"
#include "interpreter/model/array_memory.h"

namespace hlo::conformance {
namespace {

/// Whether a seed decides what the cases of the tier are.
bool is_drawn(const std::string& tier) {
  return tier == "full" || tier == "layouts";
}

std::string command(const CheckOptions& options) {
  std::string text = options.is_golden ? "assay golden check" : "assay check";
  for (const std::string& cases : options.cases) {
    text += " " + shell_quoted(cases);
  }
  if (is_drawn(options.tier)) {
    text +=
        fmt::format(" --tier {} --seed {}", options.tier, options.drawing.seed);
  }
  text += " --backend " + shell_quoted(options.backend);
  if (options.exact) text += " --exact";
  if (options.raw) text += " --raw";
  text += judging_words(options.profile, options.backend, options.timeout);
  if (!options.require.empty()) {
    text += " --require " + shell_quoted(options.require);
  }
  for (const std::string& file : options.waiving.files) {
    text += " --waivers " + shell_quoted(file);
  }
  if (options.waiving.strict) text += " --strict";
  return text;
}

std::unique_ptr<OutputFile> output(const std::string& path, FileUse& use,
                                   OutputFile::Unfinished unfinished) {
  if (path.empty()) return nullptr;
  return std::make_unique<OutputFile>(path, use, unfinished);
}

std::string text_if_there(const std::string& path) {
  const bool is_there = std::filesystem::is_regular_file(path);
  return is_there ? read_file(path) : std::string();
}

/// One run over the cases, which a signal may end early.
class CheckRun {
 public:
  CheckRun(const CheckOptions& options, const Shard& shard, CheckCases& cases,
           FileUse& use, ResultCache* cache, Waivers& waivers)
      : options_(options),
        shard_(shard),
        cases_(cases),
        use_(use),
        cache_(cache),
        waivers_(waivers),
        events_(output(options.output, use, OutputFile::Unfinished::kKept)),
        junit_(output(options.junit, use, OutputFile::Unfinished::kRemoved)),
        record_(cases.count(), empty_summary(), events_.get(),
                [&cases](int64_t i) { return cases.position(i); }) {}

  int run() {
    const Running running{
        .judging = {.profile = parse_profile(options_.profile),
                    .levels = options_.levels,
                    .raw = options_.raw},
        .jobs = options_.jobs,
        .most = Seconds(options_.timeout)};
    begin();
    progress_.emplace(record_.left(), "case", [this] {
      return ", " + counted(failures_.load(), "differs", "differ");
    });
    for (std::vector<Case> part; !(part = cases_.next()).empty();) {
      if (options_.exact) make_exact(part);
      record_.take(part);
      run_open(part, running);
    }
    progress_.reset();
    finish();
    shrink_kept(running);
    return record_.exit_code();
  }

 private:
  /// Runs those that no earlier run has recorded, nor the cache.
  void run_open(const std::vector<Case>& part, const Running& running) {
    std::vector<size_t> open = record_.unrecorded();
    std::erase_if(open, [&](size_t i) { return report_found(part[i]); });
    progress_->skip(std::ssize(part) - std::ssize(open));
    std::vector<Case> few;
    if (open.size() < part.size()) {
      for (const size_t i : open) few.push_back(part[i]);
    }
    const std::span<const Case> cases = open.size() < part.size() ? few : part;
    run_cases(
        cases, [&] { return make_backend(options_.backend); },
        [&](const Case& c, const CaseResult& result) {
          if (cache_ != nullptr) cache_->keep(c, result.judgement);
          const auto i = static_cast<size_t>(&c - cases.data());
          report(part[open[i]], result);
          progress_->step();
        },
        running);
  }

  /// Whether the cache has the result of the case.
  bool report_found(const Case& c) {
    if (cache_ == nullptr) return false;
    const auto judgement = cache_->find(c);
    if (judgement) report(c, {.judgement = *judgement});
    return judgement.has_value();
  }

  /// `c` is one of the cases that the record took last.
  void report(const Case& c, CaseResult result) {
    demand(c, result.judgement);
    const Waiver* waiver = waivers_.find(c.id);
    if (waiver != nullptr) result.judgement.waiver = waiver->text();
    record_.add(c, result);
    const bool fails = is_failure(result.judgement.verdict);
    failures_ += fails && waiver == nullptr ? 1 : 0;
    if (waiver == nullptr) keep_to_shrink(c, result.judgement);
  }

  /// The first in the order of ids, whichever was judged first.
  void keep_to_shrink(const Case& c, const Judgement& judgement) {
    const bool is_kept = options_.shrink.count > 0 && failure_kind(judgement) &&
                         judgement.verdict != Verdict::kMissing;
    if (!is_kept) return;
    to_shrink_.emplace(c.id, c);
    if (std::ssize(to_shrink_) > options_.shrink.count) {
      to_shrink_.erase(std::prev(to_shrink_.end()));
    }
  }

  /// The smallest programs that fail as these cases do.
  void shrink_kept(const Running& running) {
    std::vector<FailingProgram> failing;
    for (const auto& [id, c] : to_shrink_) {
      failing.push_back({id, program_of(c), c});
    }
    shrink_failures(failing, options_.shrink, use_, options_.backend,
                    {.profile = running.judging.profile, .most = running.most});
  }

  /// What is not supported is missing where it is required.
  void demand(const Case& c, Judgement& judgement) const {
    if (judgement.verdict == Verdict::kUnsupported &&
        !options_.require.empty() && selects(options_.require, c.id)) {
      judgement.verdict = Verdict::kMissing;
    }
  }

  Summary empty_summary() const {
    Summary summary(command(options_));
    if (!options_.junit.empty()) summary.keep_tests();
    summary.set_waivers(&waivers_, options_.waiving.strict);
    return summary;
  }

  RunIdentity identity() const {
    return {.backend = options_.backend,
            .cases = cases_.whole(),
            .manifest = cases_.manifest(),
            .version = options_.version,
            .build = std::string(build_hash()),
            .profile = options_.profile,
            .require = options_.require,
            .levels = options_.levels,
            .raw = options_.raw,
            .waivers = waivers_.digest(),
            .active_waivers = waivers_.active(),
            .expired_waivers = waivers_.expired(),
            .strict = options_.waiving.strict,
            .shard = shard_.index,
            .of = shard_.count,
            .command = command(options_)};
  }

  /// From here on there is something to write where a signal ends the run.
  void begin() {
    const auto lock = uninterrupted();
    if (options_.resume) {
      record_.resume(identity(), text_if_there(options_.output));
    } else {
      record_.begin(identity());
    }
    on_stop_.emplace([this] { finish(); });
  }

  /// Writes and prints what there is; each of them also where another fails.
  void finish() {
    const auto lock = uninterrupted();
    if (std::exchange(finished_, true)) return;
    std::exception_ptr error;
    for (const auto step : {&CheckRun::end_cache, &CheckRun::end,
                            &CheckRun::write_junit, &CheckRun::print}) {
      try {
        (this->*step)();
      } catch (...) {
        if (error == nullptr) error = std::current_exception();
      }
    }
    if (error != nullptr) std::rethrow_exception(error);
  }

  void end_cache() {
    if (cache_ == nullptr) return;
    cache_->flush();
    complain(fmt::format("the cache had {} of {}\n", cache_->found(),
                         counted(cases_.count(), "result")));
  }

  void end() { record_.end(); }

  void write_junit() {
    if (junit_ == nullptr) return;
    const int64_t left = record_.left();
    junit_->append(
        junit({{.summary = &record_.summary(),
                .backend = options_.backend,
                .missing = left == 0 ? ""
                                     : counted(left, "case was", "cases were") +
                                           " not judged",
                .is_cut = left > 0}}));
    junit_->commit();
  }

  void print() {
    if (shard_.count > 1) {
      say("shard {}/{} ({})\n\n", shard_.index, shard_.count, shard_.source);
    }
    print_report(record_.summary(), record_.left(),
                 {.backend = options_.backend,
                  .failures = options_.failures,
                  .levels = options_.levels,
                  .verbose = options_.verbose});
  }

  const CheckOptions& options_;
  const Shard& shard_;
  CheckCases& cases_;
  FileUse& use_;
  ResultCache* cache_;  // or none
  Waivers& waivers_;
  std::unique_ptr<OutputFile> events_;
  std::unique_ptr<OutputFile> junit_;
  RunRecord record_;
  std::map<std::string, Case> to_shrink_;  // by their ids
  std::atomic<int64_t> failures_ = 0;
  std::optional<CountedProgress> progress_;
  bool finished_ = false;
  std::optional<OnStop> on_stop_;
};

/// Error "usage.require" where nothing that is run is required.
void check_require(const std::string& require, const CheckCases& cases) {
  require_evaluable(require.empty() || cases.may_have(require), "usage.require",
                    {"no case that is run has an id like ", require},
                    "--require must name some");
}

/// That of --cache; nothing without, or where it cannot be told what results
/// depend on.
std::unique_ptr<ResultCache> cache_of(const CheckOptions& options,
                                      FileUse& use) {
  if (options.cache.empty()) return nullptr;
  try {
    auto cache = std::make_unique<ResultCache>(
        options.cache,
        fingerprint(options.backend,
                    {options.profile, options.levels ? "levels" : "",
                     options.raw ? "raw" : "", options.exact ? "exact" : "",
                     fmt::format("{}", options.timeout),
                     std::to_string(most_memory())}));
    use.read(cache->path());
    return cache;
  } catch (const std::exception& error) {
    complain(printable(fmt::format(
        "warning: the cache {} is left out, which costs time only: {}\n",
        options.cache, error.what())));
    return nullptr;
  }
}

/// What --shard says, or the environment without it.
Shard shard_of(const CheckOptions& options) {
  if (!options.drawing.shard.empty()) return parse_shard(options.drawing.shard);
  if (!options.environment) return {};
  Shard shard = shard_of_environment(options.environment);
  // Bazel runs no shards of a test that leaves this file out.
  const char* const status = options.environment("TEST_SHARD_STATUS_FILE");
  const bool bazel = status != nullptr && *status != '\0';
  if (bazel && shard.count > 1) write_file(status, "");
  return shard;
}

int check(const CheckOptions& options) {
  const Shard shard = shard_of(options);
  chosen_backend(options.backend);  // wrong names are found before all else
  parse_profile(options.profile);
  require_evaluable(
      !options.exact || parse_profile(options.profile) == Profile(),
      "usage.golden", {"--exact is given with --profile"},
      "it must go without");
  Waivers waivers(options.waiving, options.backend, declared_tags);
  require_evaluable(!options.resume || !options.output.empty(), "usage.resume",
                    {"there is no --output FILE"},
                    "--resume must have one to go on with");
  const Drawing none;
  require_evaluable(
      is_drawn(options.tier) || (options.drawing.seed == none.seed &&
                                 options.drawing.count == none.count),
      "usage.option",
      {"--seed or --count is given with the tier ", options.tier},
      "they must go with --tier layouts or --tier full, which draw");
  Drawing drawing = options.drawing;
  drawing.shard = fmt::format("{}/{}", shard.index, shard.count);
  const std::unique_ptr<CheckCases> cases =
      cases_of_tier(options.tier, options.cases, options.filter, drawing);
  if (cases->whole() == 0) {
    return report_no_case(options.filter);
  }
  check_require(options.require, *cases);
  FileUse use;
  use.read(cases->files());
  use.read(options.waiving.files);
  const auto cache = cache_of(options, use);
  return CheckRun(options, shard, *cases, use, cache.get(), waivers).run();
}

}  // namespace

int run_check(const CheckOptions& options) {
  try {
    return check(options);
  } catch (const Error& error) {
    const int code = report_error(error, "", "");
    return code == kUsage ? code : int{kBroken};
  }
}

}  // namespace hlo::conformance
