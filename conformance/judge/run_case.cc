#include "conformance/judge/run_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "interpreter/error.h"
#include "interpreter/model/buffer.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/run/helpers.h"

namespace hlo::conformance {
namespace {

/// Hands results over one at a time, until that throws.
class Reporter {
 public:
  explicit Reporter(
      const std::function<void(const Case&, const CaseResult&)>& report)
      : report_(report) {}

  /// Whether more results are wanted.
  bool put(const Case& c, const CaseResult& result) {
    const std::lock_guard lock(mutex_);
    if (error_ != nullptr) return false;
    try {
      report_(c, result);
    } catch (...) {
      error_ = std::current_exception();
    }
    return error_ == nullptr;
  }

  /// Whether results are still wanted.
  bool is_open() {
    const std::lock_guard lock(mutex_);
    return error_ == nullptr;
  }

  /// Ends with what is being thrown, unless it has ended before.
  void end_with_current() {
    const std::lock_guard lock(mutex_);
    if (error_ == nullptr) error_ = std::current_exception();
  }

  void rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  const std::function<void(const Case&, const CaseResult&)>& report_;
  std::mutex mutex_;
  std::exception_ptr error_;
};

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// A case on its way through a batch. What threads that are left alone use is
/// theirs.
struct Passage {
  Case stated;
  PreparedCase prepared;
  std::optional<Outcome> outcome;
  double seconds = 0;  // so far
};

using Batch = std::vector<std::shared_ptr<Passage>>;

constexpr size_t kMostBytes = size_t{1} << 26U;  // of a batch, about

/// About how many bytes the case takes up on its way.
size_t weight(const Passage& passage) {
  const PreparedCase& prepared = passage.prepared;
  if (!prepared.is_ready) return 0;
  size_t bytes = passage.stated.hlo.size() + passage.stated.stablehlo.size();
  for (const Buffer& buffer : prepared.arguments) bytes += buffer.bytes.size();
  try {
    for (const Shape& shape : result_shapes(*prepared.module)) {
      bytes += static_cast<size_t>(buffer_bytes(shape));
    }
  } catch (const Error&) {
    return kMostBytes;
  }
  return bytes;
}

void prepare_passage(Passage& passage) {
  const auto begin = std::chrono::steady_clock::now();
  passage.prepared = prepare(passage.stated);
  passage.seconds = seconds_since(begin);
}

void ask(const Batch& batch, Backend& backend) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<Call> calls;
  std::vector<Passage*> asked;
  for (const auto& passage : batch) {
    const PreparedCase& prepared = passage->prepared;
    if (!prepared.is_ready) continue;
    calls.push_back(
        {.module = &*prepared.module, .arguments = prepared.arguments});
    asked.push_back(passage.get());
  }
  if (calls.empty()) return;
  std::vector<Outcome> outcomes = guarded_run_all(backend, calls);
  const double each =
      seconds_since(begin) / static_cast<double>(outcomes.size());
  for (size_t i = 0; i < outcomes.size(); ++i) {
    asked[i]->outcome = std::move(outcomes[i]);
    asked[i]->seconds += each;
  }
}

/// Runs cases, each for so long at most.
class CaseRunner {
 public:
  /// The next cases, so many at most; none where none are left.
  using Claim = std::function<std::span<const Case>(size_t)>;
  /// Takes a result; whether more of them are wanted.
  using Put = std::function<bool(const Case&, const CaseResult&)>;

  CaseRunner(const MakeBackend& make, const Running& running)
      : make_(make), running_(running), backend_(make()) {}

  /// Runs what it claims, until nothing is left or no more results are wanted.
  void run(const Claim& claim, const Put& put) {
    while (most_at_once() > 1 ? run_together(claim, put)
                              : run_in_turn(claim, put)) {
    }
  }

 private:
  size_t most_at_once() const { return backend_->most_at_once(); }

  /// Cases that the backend takes at once; whether there may be more.
  bool run_together(const Claim& claim, const Put& put) {
    std::span<const Case> cases = claim(most_at_once());
    if (cases.empty()) return false;
    while (cases.size() > 1) {
      const Batch batch = prepare_batch(cases);
      const std::span<const Case> together = cases.first(batch.size());
      cases = cases.subspan(batch.size());
      const bool wanted = answers(batch) ? judge_batch(together, batch, put)
                                         : run_alone(together, put);
      if (!wanted) return false;
    }
    return run_alone(cases, put);
  }

  bool run_alone(std::span<const Case> cases, const Put& put) {
    return std::ranges::all_of(cases, [&](const Case& c) {
      bool wanted = true;
      std::span<const Case> left(&c, 1);
      run_in_turn([&](size_t) { return std::exchange(left, {}); },
                  [&](const Case& same, const CaseResult& result) {
                    wanted = put(same, result);
                    return wanted;
                  });
      return wanted;
    });
  }

  /// One case after the other, each claimed when its turn has come, so that
  /// none waits for another one: until the backend takes several at once;
  /// whether there may be more.
  bool run_in_turn(const Claim& claim, const Put& put) {
    std::span<const Case> claimed;
    std::shared_ptr<CaseResult> result;
    bool wanted = true;
    const auto next = [&]() -> std::optional<Task> {
      if (result != nullptr) {
        wanted = put(claimed[0], *std::exchange(result, nullptr));
        if (!wanted || most_at_once() > 1) return std::nullopt;
      }
      claimed = claim(1);
      wanted = !claimed.empty();
      if (!wanted) return std::nullopt;
      result = std::make_shared<CaseResult>();
      return alone(claimed[0], result);
    };
    if (worker_.run_each(next)) return wanted;
    backend_ = make_();
    return put(claimed[0], too_late());
  }

  Task alone(const Case& c, const std::shared_ptr<CaseResult>& result) const {
    std::shared_ptr<const Case> own;
    try {
      own = std::make_shared<const Case>(c);
    } catch (const std::bad_alloc&) {
      result->judgement = broken(Verdict::kError, "there is not enough memory");
      return {.job = [] {}, .most = running_.most};
    }
    return {.job =
                [result, own, backend = backend_, judging = running_.judging] {
                  const auto begin = std::chrono::steady_clock::now();
                  result->judgement = run_case(*own, *backend, judging);
                  result->seconds = seconds_since(begin);
                },
            .most = running_.most};
  }

  /// A batch of the first cases: of as many as are small together.
  Batch prepare_batch(std::span<const Case> cases) {
    Batch batch;
    size_t bytes = 0;
    std::shared_ptr<Passage> passage;
    const auto next = [&]() -> std::optional<Task> {
      if (passage != nullptr) {
        bytes += weight(*passage);
        batch.push_back(std::move(passage));
      }
      if (batch.size() == cases.size() || bytes >= kMostBytes) {
        return std::nullopt;
      }
      passage = std::make_shared<Passage>();
      passage->stated = cases[batch.size()];
      return Task{.job = [own = passage] { prepare_passage(*own); },
                  .most = running_.most};
    };
    while (!worker_.run_each(next)) {
      passage = std::make_shared<Passage>();
      passage->prepared.judgement = too_late().judgement;
      passage->seconds = too_late().seconds;
    }
    return batch;
  }

  /// Whether all answers of the backend came in the time of one case.
  bool answers(const Batch& batch) {
    const auto job = [batch, backend = backend_] { ask(batch, *backend); };
    if (worker_.run(job, running_.most)) return true;
    backend_ = make_();
    return false;
  }

  bool judge_batch(std::span<const Case> cases, const Batch& batch,
                   const Put& put) {
    size_t done = 0;
    bool wanted = true;
    std::shared_ptr<CaseResult> result;
    const auto hand_over = [&](const CaseResult& judged) {
      wanted = put(cases[done], judged);
      ++done;
    };
    const auto next = [&]() -> std::optional<Task> {
      if (result != nullptr) hand_over(*std::exchange(result, nullptr));
      while (wanted && done < batch.size() && !batch[done]->prepared.is_ready) {
        hand_over({.judgement = batch[done]->prepared.judgement,
                   .seconds = batch[done]->seconds});
      }
      if (!wanted || done == batch.size()) return std::nullopt;
      result = std::make_shared<CaseResult>();
      return judged(batch[done], result);
    };
    while (!worker_.run_each(next)) {
      backend_ = make_();
      result = std::make_shared<CaseResult>(too_late());
    }
    return wanted;
  }

  Task judged(const std::shared_ptr<Passage>& passage,
              const std::shared_ptr<CaseResult>& result) const {
    const auto job = [result, passage, backend = backend_,
                      judging = running_.judging] {
      const auto begin = std::chrono::steady_clock::now();
      result->judgement = judge_outcome(passage->stated, passage->prepared,
                                        *passage->outcome, *backend, judging);
      result->seconds = passage->seconds + seconds_since(begin);
    };
    return {.job = job, .most = running_.most - Seconds(passage->seconds)};
  }

  CaseResult too_late() const {
    return {.judgement = broken(
                Verdict::kCrashed,
                fmt::format("no answer within {:g} s", running_.most.count())),
            .seconds = running_.most.count()};
  }

  const MakeBackend& make_;
  const Running& running_;
  std::shared_ptr<Backend> backend_;
  Worker worker_;
};

/// Hands out the cases to runners.
class Claims {
 public:
  Claims(std::span<const Case> cases, size_t runners)
      : cases_(cases), runners_(runners) {}

  /// The next cases, no more than the runner's share of those that are left.
  std::span<const Case> take(size_t most) {
    const std::lock_guard lock(mutex_);
    const size_t share = (cases_.size() + runners_ - 1) / runners_;
    const std::span<const Case> taken = cases_.first(std::min(most, share));
    cases_ = cases_.subspan(taken.size());
    return taken;
  }

 private:
  std::mutex mutex_;
  std::span<const Case> cases_;
  size_t runners_;
};

}  // namespace

Judgement run_case(const Case& c, Backend& backend, const Judging& judging) {
  const PreparedCase prepared = prepare(c);
  if (!prepared.is_ready) return prepared.judgement;
  const Outcome outcome =
      guarded_run(backend, *prepared.module, prepared.arguments);
  return judge_outcome(c, prepared, outcome, backend, judging);
}

void run_cases(
    std::span<const Case> cases, const MakeBackend& make,
    const std::function<void(const Case&, const CaseResult&)>& report,
    const Running& running) {
  Reporter reporter(report);
  std::deque<CaseRunner> runners;
  for (int i = 0; i < std::max(running.jobs, 1); ++i) {
    runners.emplace_back(make, running);
  }
  Claims claims(cases, runners.size());
  const auto claim = [&](size_t most) {
    return reporter.is_open() ? claims.take(most) : std::span<const Case>();
  };
  const auto put = [&](const Case& c, const CaseResult& result) {
    return reporter.put(c, result);
  };
  const std::function<void(int64_t)> work = [&](int64_t worker) {
    try {
      runners[static_cast<size_t>(worker)].run(claim, put);
    } catch (...) {
      reporter.end_with_current();
    }
  };
  {
    const Helpers helpers(std::ssize(runners) - 1, work);
    work(0);
  }
  reporter.rethrow();
}

}  // namespace hlo::conformance
