#include "conformance/audit/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <variant>

#include "conformance/audit/asked_backend.h"
#include "conformance/case/case_program.h"
#include "conformance/judge/prepared_case.h"
#include "interpreter/devices/devices.h"
#include "interpreter/error.h"
#include "interpreter/rules/op.h"
#include "interpreter/run/shared_limits.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

/// What the program's operations leave open from run to run; empty where that
/// is nothing.
std::string open_runs(const Module& module) {
  for (const auto& computation : module.computations) {
    for (const auto& one : computation->instructions) {
      const Op& op = *one->op;
      if (op.randomness == Randomness::kNumbers ||
          op.randomness == Randomness::kState) {
        return fmt::format("{} draws numbers", op.name);
      }
      if (op.updates != nullptr && !one->get_or("unique_indices", false)) {
        return fmt::format("{} joins updates in any order", op.name);
      }
    }
  }
  return {};
}

/// What runs beside the backend.
struct Others {
  const std::vector<std::unique_ptr<AskedBackend>>& starts;
  const std::vector<std::unique_ptr<AskedBackend>>& settings;
};

/// Ends the trials: what follows could not be told apart.
struct Untold {};

/// None where the reference does not run the program, and those that it runs
/// within the work for all of them.
std::vector<Variant> variants_of(const Program& program) {
  constexpr int64_t kMostWork = 10'000'000'000;
  const SharedLimitsScope limits(
      {.budget = std::make_shared<Budget>(kMostWork)});
  try {
    return variants(program);
  } catch (const Error&) {
    return {};
  }
}

class Auditor {
 public:
  Auditor(const Case& c, const AuditOptions& options, const Others& others,
          AskedBackend& backend)
      : case_(c),
        options_(options),
        others_(others),
        module_(case_module(c)),
        program_{text::print(module_), c.inputs},
        open_runs_(open_runs(module_)),
        backend_(backend) {
    result_.id = c.id;
  }

  AuditedProgram run() {
    if (begins()) {
      try {
        try_runs();
        try_together();
        try_compilations();
        try_starts();
        try_settings();
        try_places();
        try_variants();
      } catch (const Untold&) {  // the last finding tells it
      }
    }
    return std::move(result_);
  }

 private:
  /// Whether there is a result, which is `first_` from now on.
  bool begins() {
    job_ = backend_.compile(program_);
    first_ = backend_.run(job_);
    ++trials(Cause::kRun);
    const Judgement judgement = judged(first_);
    result_.verdict = judgement.verdict;
    result_.message = judgement.message;
    if (judgement.difference) result_.message = words(*judgement.difference);
    if (is_failure(judgement.verdict)) worsen(Steadiness::kOutside);
    if (is_broken(judgement.verdict)) worsen(Steadiness::kBroken);
    if (judgement.verdict == Verdict::kUnsupported) {
      worsen(Steadiness::kUnsupported);
    }
    return std::holds_alternative<Leaves>(first_);
  }

  void try_runs() {
    for (int i = 1; i < options_.runs; ++i) {
      ++trials(Cause::kRun);
      const Observation other = backend_.run(job_);
      if (same_outcome(first_, other)) continue;
      find(Cause::kRun, fmt::format("run {} of {}", i + 1, options_.runs),
           other);
      throw Untold();
    }
  }

  void try_together() {
    constexpr size_t kCalls = 3;
    ++trials(Cause::kTogether);
    const auto run = [&] { return backend_.run_together(job_, kCalls); };
    const std::vector<Observation> all = run();
    for (size_t i = 0; i < kCalls; ++i) {
      if (same_outcome(first_, all[i])) continue;
      const std::string what =
          fmt::format("call {} of {} at once", i + 1, kCalls);
      confirm(what, all[i], [&] { return run().at(i); });
      find(Cause::kTogether, what, all[i]);
      return;
    }
  }

  void try_compilations() {
    for (int i = 1; i <= options_.compilations; ++i) {
      ++trials(Cause::kCompilation);
      // A backend that keeps what it compiled knows the program by its text.
      Module renamed = case_module(case_);
      renamed.name += fmt::format("_{}", i);
      auto job = backend_.compile({text::print(renamed), case_.inputs});
      compare(Cause::kCompilation, fmt::format("compilation {}", i + 1),
              backend_, job, /*ends=*/true);
    }
  }

  void try_starts() {
    for (size_t i = 0; i < others_.starts.size(); ++i) {
      AskedBackend& other = *others_.starts[i];
      ++trials(Cause::kStart);
      auto job = other.compile(program_);
      if (compare(Cause::kStart, fmt::format("start {}", i + 2), other, job,
                  /*ends=*/false)) {
        has_other_starts_ = true;
        return;
      }
    }
  }

  /// Other settings have other starts, too.
  void try_settings() {
    if (has_other_starts_) return;
    for (size_t i = 0; i < others_.settings.size(); ++i) {
      const Setting& setting = options_.settings[i];
      AskedBackend& other = *others_.settings[i];
      ++trials(setting.cause);
      auto job = other.compile(program_);
      compare(setting.cause, setting.what, other, job, /*ends=*/false);
    }
  }

  void try_places() {
    if (!options_.places || program_.inputs.empty()) return;
    for (const size_t place : {size_t{16}, size_t{32}, size_t{48}}) {
      auto job = backend_.compile(program_, place);
      if (!is_placed(*job, place)) continue;
      ++trials(Cause::kAlignment);
      compare(Cause::kAlignment,
              fmt::format("arguments {} bytes behind multiples of {}", place,
                          kCacheLine),
              backend_, job, /*ends=*/false);
    }
  }

  void try_variants() {
    if (device_count(module_) != 1) return;
    for (const Variant& variant : variants_of(program_)) try_variant(variant);
  }

  void try_variant(const Variant& variant) {
    auto job = backend_.compile(variant.program);
    const std::vector<Observation> all = places_of(variant, backend_.run(job));
    if (is_unsupported(all.front())) return;
    ++trials(variant.cause);
    for (size_t i = 0; i < all.size(); ++i) {
      if (same_outcome(first_, all[i])) continue;
      confirm(variant.what, all[i],
              [&] { return places_of(variant, backend_.run(job)).at(i); });
      Cause cause = variant.cause;
      std::string what = variant.what;
      if (cause == Cause::kBatch && !are_alike(all)) cause = Cause::kPosition;
      if (all.size() > 1) what += fmt::format(", row {}", i);
      if (is_new(cause, all[i])) find(cause, what, all[i]);
      return;
    }
  }

  /// Whether these bits were not told yet: they are once by each cause, of
  /// those by rows once by the first, and where constants had to become
  /// parameters for others, by that.
  bool is_new(Cause cause, const Observation& other) {
    const bool has_rows = cause == Cause::kBatch || cause == Cause::kNeighbours;
    const auto covers = [&](Cause known) {
      return known == cause ||
             (known == Cause::kParameters &&
              module_.entry->parameters.empty()) ||
             (has_rows && (known == Cause::kRank || known == Cause::kBatch ||
                           known == Cause::kPosition));
    };
    return std::ranges::none_of(seen_, [&](const auto& one) {
      return covers(one.first) && same_outcome(one.second, other);
    });
  }

  static bool are_alike(const std::vector<Observation>& all) {
    return std::ranges::all_of(all, [&](const Observation& one) {
      return same_outcome(one, all.front());
    });
  }

  static bool is_unsupported(const Observation& observation) {
    const auto* failure = std::get_if<Failure>(&observation);
    return failure != nullptr && failure->kind == Failure::Kind::kUnsupported;
  }

  static std::vector<Observation> places_of(const Variant& variant,
                                            const Observation& observation) {
    const auto* leaves = std::get_if<Leaves>(&observation);
    if (leaves == nullptr) {
      const size_t rows = 64;  // as many as any variant has places
      std::vector<Observation> alike(rows, observation);
      return alike;
    }
    std::vector<Observation> all;
    for (Leaves& place : variant.back(*leaves)) {
      all.emplace_back(std::move(place));
    }
    return all;
  }

  /// Whether the job comes to other bits than the first run. `ends`: what
  /// follows could not be told from it.
  bool compare(Cause cause, const std::string& what, AskedBackend& backend,
               std::shared_ptr<AskedBackend::Job>& job, bool ends) {
    const Observation other = backend.run(job);
    if (same_outcome(first_, other) || is_unsupported(other)) return false;
    confirm(what, other, [&] { return backend.run(job); });
    find(cause, what, other);
    if (ends) throw Untold();
    return true;
  }

  /// That the difference stays, and is no other run's: both are run again, in
  /// turns. Else the program is not deterministic, which is what is found.
  template <typename Again>
  void confirm(const std::string& what, const Observation& other,
               const Again& again) {
    for (int i = 1; i < std::max(options_.runs, 3); ++i) {
      const Observation first = backend_.run(job_);
      if (!same_outcome(first, first_)) {
        find(Cause::kRun, "a later run", first);
        throw Untold();
      }
      const Observation next = again();
      if (same_outcome(next, other)) continue;
      find(Cause::kRun, "runs with " + what,
           same_outcome(next, first_) ? other : next);
      throw Untold();
    }
  }

  void find(Cause cause, const std::string& what, const Observation& other) {
    const auto differs = variation(first_, other);
    if (!differs) return;
    seen_.emplace_back(cause, other);
    const Judgement judgement = judged(other);
    AuditFinding finding{.cause = cause,
                         .what = what,
                         .variation = *differs,
                         .verdict = judgement.verdict,
                         .message = judgement.message};
    if (judgement.difference) finding.message = words(*judgement.difference);
    if (is_same_program(cause) && finding.message.empty()) {
      finding.message = open_runs_;
    }
    worsen(steadiness_of(finding));
    result_.findings.push_back(std::move(finding));
  }

  Steadiness steadiness_of(const AuditFinding& finding) const {
    if (is_broken(finding.verdict)) return Steadiness::kBroken;
    if (is_failure(finding.verdict) ||
        finding.verdict == Verdict::kUnsupported) {
      return Steadiness::kOutside;
    }
    if (is_same_program(finding.cause) && open_runs_.empty()) {
      return Steadiness::kNotDeterministic;
    }
    return finding.verdict == Verdict::kConforms ? Steadiness::kVaries
                                                 : Steadiness::kUnjudged;
  }

  Judgement judged(const Observation& observation) const {
    try {
      return judge_observed(case_, module_, observation, options_.profile);
    } catch (const Error& error) {
      Judgement judgement;  // the reference has no sets
      judgement.message = error.message();
      return judgement;
    }
  }

  static std::string words(const Difference& difference) {
    return fmt::format("expected {}", difference.expected);
  }

  void worsen(Steadiness steadiness) {
    result_.steadiness = std::max(result_.steadiness, steadiness);
  }

  int64_t& trials(Cause cause) {
    return result_.trials.at(static_cast<size_t>(cause));
  }

  const Case& case_;
  const AuditOptions& options_;
  const Others& others_;
  Module module_;
  Program program_;
  std::string open_runs_;
  AskedBackend& backend_;
  std::shared_ptr<AskedBackend::Job> job_;
  Observation first_ = Failure{};
  bool has_other_starts_ = false;
  std::vector<std::pair<Cause, Observation>> seen_;
  AuditedProgram result_;
};

}  // namespace

AuditedBackend::AuditedBackend(const MakeBackend& make,
                               const AuditOptions& options)
    : options_(options),
      first_(std::make_unique<AskedBackend>(make, options.most)) {
  for (int i = 0; i < options.compilations; ++i) {
    starts_.push_back(std::make_unique<AskedBackend>(make, options.most));
  }
  for (const Setting& setting : options.settings) {
    settings_.push_back(std::make_unique<AskedBackend>(
        setting.make, options.most, setting.cores));
  }
}

AuditedBackend::~AuditedBackend() = default;

AuditedProgram AuditedBackend::audit(const Case& c) {
  return Auditor(c, options_, {starts_, settings_}, *first_).run();
}

}  // namespace hlo::conformance
