#include "conformance/sweep/run_chunks.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "conformance/files/printable.h"
#include "conformance/judge/prepared_case.h"
#include "conformance/sweep/complex_measurer.h"
#include "conformance/sweep/measurer.h"
#include "interpreter/error.h"
#include "interpreter/run/helpers.h"

namespace hlo::conformance {
namespace {

/// Gives results to `put` in their order.
class InOrder {
 public:
  InOrder(int64_t first, const std::function<void(const SweepTally&)>& put)
      : next_(first), put_(put) {}

  void add(int64_t chunk, SweepTally tally) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(chunk, std::move(tally));
    for (auto it = waiting_.find(next_); it != waiting_.end();
         it = waiting_.find(next_)) {
      put_(it->second);
      waiting_.erase(it);
      ++next_;
    }
  }

 private:
  std::mutex mutex_;
  int64_t next_;
  const std::function<void(const SweepTally&)>& put_;
  std::map<int64_t, SweepTally> waiting_;
};

/// A backend that is asked for one chunk after the other.
class Asker {
 public:
  Asker(const SweptOperation& operation, const MakeBackend& make, Seconds most)
      : operation_(operation), make_(make), most_(most), backend_(make()) {}

  /// Errors "sweep.unsupported" and "sweep.backend".
  Literal ask(const std::vector<Literal>& operands, int64_t chunk) {
    Observation observation = answer(operands);
    if (failure(observation) != nullptr) {
      backend_ = make_();
      observation = answer(operands);
    }
    if (const Failure* failed = failure(observation)) fail(*failed, chunk);
    return std::get<std::vector<Literal>>(observation).at(0);
  }

 private:
  static const Failure* failure(const Observation& observation) {
    return std::get_if<Failure>(&observation);
  }

  Observation answer(const std::vector<Literal>& operands) {
    const int64_t n = operands[0].element_count();
    if (module_ == nullptr || size_ != n) {
      module_ = std::make_shared<const Module>(operation_.on(n));
      size_ = n;
    }
    const auto observed = std::make_shared<Observation>();
    const auto job = [observed, backend = backend_, module = module_,
                      operands] {
      *observed = observe(*backend, *module, operands);
    };
    if (worker_.run(job, most_)) return std::move(*observed);
    backend_ = make_();
    return Failure{Failure::Kind::kCrashed, "",
                   fmt::format("no answer within {:g} s", most_.count())};
  }

  [[noreturn]] static void fail(const Failure& failed, int64_t chunk) {
    const bool unsupported = failed.kind == Failure::Kind::kUnsupported;
    throw Error(Phase::kEvaluate,
                unsupported ? "sweep.unsupported" : "sweep.backend",
                fmt::format("chunk {} has no result, but every one must have: "
                            "{}",
                            chunk, printable(failed.message)));
  }

  const SweptOperation& operation_;
  const MakeBackend& make_;
  Seconds most_;
  std::shared_ptr<Backend> backend_;
  std::shared_ptr<const Module> module_;
  int64_t size_ = -1;
  Worker worker_;
};

using Measure = std::function<SweepTally(const SweepPoints&, const Literal&)>;

/// What tallies the results of one thread.
Measure measurer(const SweptOperation& operation, const Profile& profile) {
  const auto of = [](const auto& one) -> Measure {
    return [one](const SweepPoints& points, const Literal& actual) {
      return one->measure(points, actual);
    };
  };
  return is_complex(operation.type)
             ? of(std::make_shared<ComplexMeasurer>(operation, profile))
             : of(std::make_shared<Measurer>(operation, profile));
}

/// What the threads of a sweep share.
class Sweeping {
 public:
  Sweeping(const SweptOperation& operation, const SweepPlan& plan,
           const MakeBackend& make,
           const std::function<void(const SweepTally&)>& put,
           const SweepRunning& running)
      : operation_(operation),
        plan_(plan),
        make_(make),
        running_(running),
        results_(running.first, put),
        next_(running.first) {}

  /// Takes chunks until there are none, or one has failed.
  void work() {
    int64_t chunk = 0;
    try {
      Asker asker(operation_, make_, running_.most);
      const Measure measure = measurer(operation_, running_.profile);
      while ((chunk = next_++) < plan_.chunk_count() && !failed_) {
        const SweepPoints points = plan_.points(chunk);
        const Literal actual = asker.ask(points.operands, chunk);
        results_.add(chunk, measure(points, actual));
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (error_ == nullptr || chunk < failed_chunk_) {
        error_ = std::current_exception();
        failed_chunk_ = chunk;
      }
      failed_ = true;
    }
  }

  void rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  const SweptOperation& operation_;
  const SweepPlan& plan_;
  const MakeBackend& make_;
  const SweepRunning& running_;
  InOrder results_;
  std::atomic<int64_t> next_;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::exception_ptr error_;
  int64_t failed_chunk_ = 0;
};

/// Arrays of a chunk are freed and asked for again: handing them back to the
/// system in between takes longer than all that is computed.
void keep_memory() {
#ifdef __GLIBC__
  constexpr int kArrays = 1 << 25;
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, kArrays);
  mallopt(M_TRIM_THRESHOLD, 64 * (kArrays / 2));
#endif
}

}  // namespace

void run_chunks(const SweptOperation& operation, const SweepPlan& plan,
                const MakeBackend& make,
                const std::function<void(const SweepTally&)>& put,
                const SweepRunning& running) {
  keep_memory();
  Sweeping sweeping(operation, plan, make, put, running);
  const int64_t left = plan.chunk_count() - running.first;
  const int64_t threads = std::min<int64_t>(running.jobs, left);
  {
    const std::function<void(int64_t)> work = [&](int64_t) { sweeping.work(); };
    const Helpers helpers(threads - 1, work);
    sweeping.work();
  }
  sweeping.rethrow();
}

}  // namespace hlo::conformance
