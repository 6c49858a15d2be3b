#include "conformance/shrink/shrink.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "backends/backend.h"
#include "conformance/certify/certify.h"
#include "conformance/jobs/worker.h"
#include "conformance/literals/content_hash.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/shrink/haste.h"
#include "interpreter/devices/devices.h"
#include "interpreter/error.h"
#include "interpreter/rules/op.h"
#include "interpreter/run/budget.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// What ends run_cases() when enough is known.
struct Enough {};

bool is_alone(const Module& module) {
  return std::ranges::count_if(module.entry->instructions, [](const auto& one) {
           return one->parameter_number < 0;
         }) <= 1;
}

/// The sets of the leaves; what is open is unspecified.
std::vector<Expectation> certified(const Module& module,
                                   const std::vector<Literal>& leaves,
                                   const Profile& profile) {
  constexpr int64_t kMostWork = 5'000'000'000;
  const SetTree sets = certify(module, assemble_arguments(module, leaves),
                               {.profile = profile, .max_work = kMostWork});
  std::vector<Expectation> expect;
  for (const SetTree* leaf : array_leaves_of(sets)) {
    if (leaf->is_open()) {
      expect.emplace_back(UnspecifiedSet{leaf->reason()});
    } else {
      expect.emplace_back(static_cast<const ArraySet&>(*leaf));
    }
  }
  return expect;
}

/// The case, as a line of the file that a folder has.
Case as_stated(Case c, const Program& program) {
  c.why = {"Shrunk"};
  c.hlo = program.hlo;
  c.stablehlo.clear();
  if (c.derive_sets) {  // which a line cannot say
    c.derive_sets = false;
    c.from_reference = c.asks_reference = true;
    c.expect.clear();
  }
  return c;
}

std::string fingerprint_of(const Program& program) {
  Sha256 hash;
  hash.add(program.hlo);
  for (const Literal& input : program.inputs) hash.add(print_bits(input));
  return hash.finish();
}

class Shrinker {
 public:
  Shrinker(const Program& program, const MakeBackend& make,
           const ShrinkOptions& options, bool in_haste)
      : make_(make),
        options_(options),
        in_haste_(in_haste),
        limits_{.most = options.most} {
    if (in_haste) limits_.most = std::min(options.most, options.time / 4);
    result_.smallest.program = program;
    result_.before = result_.after = extent_of(program);
  }

  /// Nothing where haste has misled it: the program fails in another way when
  /// it may take longer.
  std::optional<Shrunk> run() {
    if (!begins()) {
      if (in_haste_ && has_met_limit_) return std::nullopt;
      return std::move(result_);
    }
    is_by_limit_ = is_by_limit(result_.smallest.judgement);
    while (one_round()) {
    }
    if (in_haste_ && is_by_limit_ && !holds_at_leisure()) return std::nullopt;
    result_.after = extent_of(result_.smallest.program);
    return std::move(result_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Whether the program itself fails, and not only now and then: by what the
  /// operations allow, or else by what its case states.
  bool begins() {
    const Program program = result_.smallest.program;
    seen_.insert(fingerprint_of(program));
    try {
      const std::optional<Case> certified = first_case(program);
      if (!certified) return false;
      if (fails(*certified)) {
        if (is_without_value(result_.smallest.judgement)) {
          require_value(program);
        }
        return true;
      }
    } catch (const Error&) {  // as where it takes too much work to certify it
      if (!options_.stated) throw;
    }
    const bool is_known = result_.flaky > 0 || result_.is_out_of_time;
    if (!options_.stated || is_known) return false;
    result_.is_only_stated = fails(as_stated(*options_.stated, program));
    return result_.is_only_stated;
  }

  /// The case of the program, if that is made in the time.
  std::optional<Case> first_case(const Program& program) {
    if (is_over()) return std::nullopt;
    const auto made = std::make_shared<Case>();
    const auto work = std::make_shared<int64_t>(0);
    const auto job = [made, work, program, profile = options_.profile,
                      in_haste = in_haste_] {
      *made = case_of(program, profile);
      if (in_haste) *work = work_of_candidates(program);
    };
    if (worker_.run(job, left())) {
      limits_.work = *work;
      return std::move(*made);
    }
    result_.is_out_of_time = true;
    return std::nullopt;
  }

  /// Whether the case fails, twice in the same way.
  bool fails(const Case& stated) {
    result_.stated = stated;
    std::vector<double> seconds;
    bool has_waited = false;
    while (seconds.size() < 2) {
      judge({stated}, [&](size_t, const CaseResult& result) {
        take_judgement(result.judgement, seconds.empty());
        seconds.push_back(result.seconds);
      });
      if (result_.is_out_of_time) result_.kind.reset();
      if (!result_.kind) return false;
      if (in_haste_ && !has_waited && is_late(result_.smallest.judgement)) {
        has_waited = true;
        seconds.clear();  // it begins anew when the backend has started
        wait_for_start();
      }
    }
    if (in_haste_ && !is_late(result_.smallest.judgement)) {
      be_patient(2 * Seconds(seconds.at(0)) + 10 * Seconds(seconds.at(1)));
    }
    return true;
  }

  /// How the program fails, the first time or the second.
  void take_judgement(const Judgement& judgement, bool is_first) {
    has_met_limit_ = has_met_limit_ || is_by_limit(judgement);
    const auto kind = failure_kind(judgement);
    if (judgement.again) ++result_.flaky;
    if (!is_first && kind != result_.kind) {
      ++result_.flaky;
      result_.kind.reset();
      return;
    }
    result_.kind = kind;
    result_.smallest.judgement = judgement;
  }

  /// What a candidate may take, from what the program took.
  void be_patient(Seconds taken) {
    limits_.most = std::min(options_.most, Seconds(1) + taken);
  }

  /// The backend was late: that may have been its start, which is seen of a
  /// program that does nothing.
  void wait_for_start() {
    const Haste limits = std::exchange(limits_, {.most = left() / 2});
    Seconds start(0);
    judge({case_of({.hlo = text::print(verified_module(
                        "ENTRY e { ROOT p = f32[] parameter(0) }")),
                    .inputs = {Literal(Shape::scalar(ElementType::kF32))}},
                   options_.profile)},
          [&](size_t, const CaseResult& result) {
            start = Seconds(result.seconds);
          });
    limits_ = limits;
    be_patient(2 * start);
  }

  /// Whether what is left fails alike when it may take longer.
  bool holds_at_leisure() {
    is_by_limit_ = false;  // so that all the time counts that is left
    result_.is_out_of_time = false;
    const bool is_out_of_candidates =
        std::exchange(result_.is_out_of_candidates, false);
    limits_ = {.most = std::min(options_.most, left())};
    bool holds = true;
    ask({result_.stated}, limits_.most, [&](size_t, const CaseResult& result) {
      // That the rest of the time ends it says nothing of longer ones.
      result_.is_in_haste =
          is_late(result.judgement) && limits_.most < options_.most;
      if (result_.is_in_haste) return;
      holds = failure_kind(result.judgement) == result_.kind;
      if (holds) result_.smallest.judgement = result.judgement;
    });
    result_.is_out_of_candidates = is_out_of_candidates;
    return holds;
  }

  /// Whether any reduction took something away.
  bool one_round() {
    bool has_changed = false;
    for (const Reduction& reduction : reductions()) {
      size_t from = 0;
      bool again = true;
      while (again && !is_over()) {
        const Candidates candidates = reduction.candidates(result_.smallest);
        const auto found = first_failing(candidates, from);
        again = found.has_value();
        has_changed = has_changed || again;
        // What was refused before is tried again in the next round.
        if (again) from = std::min(*found, candidates.size());
      }
    }
    return has_changed && !is_over();
  }

  /// What is left of the time: of what fails by a limit, a quarter is for the
  /// last look at it.
  Seconds left() const {
    const bool is_last = !in_haste_ || !is_by_limit_;
    const Seconds time = is_last ? options_.time : options_.time * 0.75;
    return time - (Clock::now() - begin_);
  }

  bool is_over() {
    if (left() <= Seconds(0)) result_.is_out_of_time = true;
    if (result_.asked >= options_.candidates) {
      result_.is_out_of_candidates = true;
    }
    return result_.is_out_of_time || result_.is_out_of_candidates;
  }

  struct Prepared {
    size_t number;  // in the list of candidates
    Program program;
    Case stated;
  };

  /// Where it fails by not coming to an end, what the reference may take.
  int64_t reference_limit() const {
    return limits_.work > 0 ? limits_.work : Budget::by_inputs(0);
  }

  /// The next candidates that are valid and new.
  std::vector<Prepared> next(const Candidates& candidates, size_t& from) {
    constexpr size_t kAtOnce = 16;
    std::vector<Prepared> found;
    for (; from < candidates.size() && found.size() < kAtOnce; ++from) {
      if (left() <= Seconds(0)) break;
      try {
        Program program = candidates[from]();
        if (!seen_.insert(fingerprint_of(program)).second) continue;
        if (is_by_limit_ && !ends_within(program, reference_limit())) {
          ++result_.invalid;
          continue;
        }
        Case stated = case_of(program, options_.profile);
        found.push_back({from, std::move(program), std::move(stated)});
      } catch (const std::exception&) {
        ++result_.invalid;
      }
    }
    return found;
  }

  /// Which of these is the first that fails alike.
  std::optional<size_t> failing_of(const std::vector<Prepared>& prepared) {
    std::vector<Case> cases;
    cases.reserve(prepared.size());
    for (const Prepared& one : prepared) cases.push_back(one.stated);
    std::optional<size_t> found;
    judge(cases, [&](size_t i, const CaseResult& result) {
      const Judgement& judgement = result.judgement;
      ++result_.asked;
      if (options_.asked) options_.asked();
      if (judgement.again) ++result_.flaky;
      if (failure_kind(judgement) == result_.kind) {
        found = i;
        judgement_ = judgement;
      }
      if (found || is_over()) throw Enough();
    });
    return found;
  }

  /// The number of the first candidate that fails alike, which becomes the
  /// program.
  std::optional<size_t> first_failing(const Candidates& candidates,
                                      size_t from) {
    while (from < candidates.size() && !is_over()) {
      std::vector<Prepared> prepared = next(candidates, from);
      const auto found = failing_of(prepared);
      if (!found) continue;
      // Those behind it were not judged: another program may bring them again.
      for (size_t i = *found + 1; i < prepared.size(); ++i) {
        seen_.erase(fingerprint_of(prepared[i].program));
      }
      Prepared& taken = prepared[*found];
      from = taken.number + 1;
      if (is_refused(taken.program)) {
        ++result_.invalid;
        continue;
      }
      if (is_late(judgement_) && !is_late_again(taken.stated)) {
        if (!result_.is_out_of_time) ++result_.flaky;
        continue;
      }
      ++result_.taken;
      result_.is_only_stated = false;
      result_.smallest = {std::move(taken.program), judgement_};
      result_.stated = std::move(taken.stated);
      return taken.number;
    }
    return std::nullopt;
  }

  /// Whether the reference refuses, too, what the backend gives no value for:
  /// rules that hold on values the verifier does not see.
  bool is_refused(const Program& program) const {
    return !judgement_.difference && !is_by_limit_ &&
           !ends_within(program, reference_limit());
  }

  static bool is_without_value(const Judgement& judgement) {
    return judgement.verdict == Verdict::kRejectedWrongly;
  }

  /// No second run follows what had no answer in time. In haste the last look
  /// at what is left is that.
  bool is_late_again(const Case& stated) {
    if (in_haste_ && is_by_limit_) return true;
    bool late = false;
    judge({stated}, [&](size_t, const CaseResult& result) {
      late = is_late(result.judgement);
    });
    return late;
  }

  using Report = std::function<void(size_t, const CaseResult&)>;

  /// Reports the judgements, until what is left of the time ends one of them:
  /// that there was no answer by then says nothing.
  void judge(const std::vector<Case>& cases, const Report& report) {
    if (is_over()) return;
    const Seconds rest = left();
    ask(cases, std::min(limits_.most, rest),
        [&](size_t i, const CaseResult& result) {
          if (rest < limits_.most && is_late(result.judgement)) {
            result_.is_out_of_time = true;
            throw Enough();
          }
          report(i, result);
        });
  }

  void ask(const std::vector<Case>& cases, Seconds most, const Report& report) {
    bool is_first = true;
    const auto make = [&]() -> std::unique_ptr<Backend> {
      if (backend_ == nullptr || !is_first) backend_ = make_();
      is_first = false;
      return lend(backend_, limits_.work);
    };
    try {
      run_cases(
          cases, make,
          [&](const Case& c, const CaseResult& result) {
            report(static_cast<size_t>(&c - cases.data()), result);
          },
          {.judging = {.profile = options_.profile}, .jobs = 1, .most = most});
    } catch (const Enough&) {  // the rest need not be known
    }
  }

  const MakeBackend& make_;
  const ShrinkOptions& options_;
  bool in_haste_;
  bool has_met_limit_ = false;  // by the program itself
  bool is_by_limit_ = false;    // that it fails
  Haste limits_;
  Clock::time_point begin_ = Clock::now();
  Worker worker_;
  std::shared_ptr<Backend> backend_;
  std::set<std::string> seen_;
  Judgement judgement_;  // of the candidate that failed last
  Shrunk result_;
};

}  // namespace

Case case_of(const Program& program, const Profile& profile) {
  Case c;
  const Module module = verified_module(program.hlo);
  const Instruction& root = *module.entry->root;
  c.id = fmt::format(
      "{}/{}/shrunk", root.op->name,
      name(leaves(root.shape).empty() ? root.shape.element_type
                                      : leaves(root.shape)[0]->element_type));
  c.statement = "the smallest program that was found to fail";
  c.why = {"Shrunk"};
  c.hlo = program.hlo;
  c.inputs = program.inputs;
  c.from_reference = true;
  c.asks_reference = is_alone(module) || device_count(module) != 1;
  if (!c.asks_reference) c.expect = certified(module, program.inputs, profile);
  return c;
}

Shrunk shrink(const Program& program, const MakeBackend& make,
              const ShrinkOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  if (auto hasty = Shrinker(program, make, options, /*in_haste=*/true).run()) {
    return *std::move(hasty);
  }
  ShrinkOptions rest = options;
  rest.time -= std::chrono::steady_clock::now() - begin;
  return *Shrinker(program, make, rest, /*in_haste=*/false).run();
}

}  // namespace hlo::conformance
