#include "conformance/commands/results/timed_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <utility>
#include <variant>

#include "backends/process/process_backend.h"
#include "conformance/files/process/peak_memory.h"
#include "conformance/judge/prepared_case.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

/// What a thread that may be left alone works on.
struct Job {
  TimedProgram program;
  std::vector<Buffer> buffers = {};
  std::unique_ptr<Executable> executable = {};
  std::optional<Introduction> worker = {};
  std::optional<Failure> failure = {};
  Outcome outcome = Failure{};
  Observation observation = Failure{};
  std::optional<std::string> counts = {};
  double seconds = 0;             // of the last step
  int in_a_row = 0;               // so many runs are one step
  std::vector<double> runs = {};  // of these

  // Destroyed in this order: what was compiled, what it was compiled by.
  ~Job() {
    executable.reset();
    program.backend.reset();
  }
};

template <typename Body>
double seconds_of(const Body& body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// Layouts are no part of a run. A worker is started, if there is one.
void start(Job& job) {
  try {
    job.buffers = stored(*job.program.module, job.program.arguments);
    job.seconds =
        seconds_of([&] { job.worker = introduction(*job.program.backend); });
  } catch (const Error& error) {
    job.failure = to_failure(error);
  } catch (const std::exception& error) {
    job.failure = Failure{.kind = Failure::Kind::kCrashed,
                          .rule = {},
                          .message = std::string("the worker ") + error.what()};
  }
}

void compile(Job& job) {
  std::variant<std::unique_ptr<Executable>, Failure> made;
  job.seconds = seconds_of([&] {
    made = guarded_compile(*job.program.backend, *job.program.module);
  });
  if (auto* failure = std::get_if<Failure>(&made)) {
    job.failure = std::move(*failure);
  } else {
    job.executable = std::get<std::unique_ptr<Executable>>(std::move(made));
  }
}

/// Without a look at what it came to.
void run_unseen(Job& job) {
  job.outcome = Failure{};
  job.seconds = seconds_of([&] {
    job.outcome = job.executable != nullptr
                      ? guarded_run(*job.executable, job.buffers)
                      : guarded_run(*job.program.backend, *job.program.module,
                                    job.buffers);
  });
}

void look(Job& job) {
  try {
    job.observation = observed(*job.program.module, job.outcome);
  } catch (const Error& error) {
    job.observation = to_failure(error);
  }
  if (auto* failure = std::get_if<Failure>(&job.observation)) {
    job.failure = *failure;
  }
}

void run_once(Job& job) {
  run_unseen(job);
  look(job);
}

/// Up to the first that fails.
void run_in_a_row(Job& job) {
  for (int i = 0; i < job.in_a_row; ++i) {
    run_unseen(job);
    if (std::holds_alternative<Failure>(job.outcome)) break;
    job.runs.push_back(job.seconds);
  }
  look(job);
}

void count(Job& job) {
  auto counted = guarded_counts(*job.executable);
  if (auto* failure = std::get_if<Failure>(&counted)) {
    job.failure = std::move(*failure);
  } else {
    job.counts = std::get<std::optional<std::string>>(std::move(counted));
  }
}

/// The steps of one program, each within its time.
class Timing {
 public:
  Timing(const TimedProgram& program, Seconds most)
      : job_(std::make_shared<Job>()), most_(most) {
    job_->program = program;
  }

  TimedRuns run(int times, Looks looks) {
    result_.memory_before = peak_memory();
    if (step(start)) {
      if (job_->worker) result_.start = job_->seconds;
      if (job_->worker) result_.memory_before.reset();
      if (step(compile) && job_->executable != nullptr) {
        result_.compile = job_->seconds;
      }
    }
    for (int i = 0; i < times && !failed_; ++i) {
      if (i == 1 && looks == Looks::kAfterTheLast) {
        run_rest(times - 1);
        break;
      }
      if (step(run_once)) take_run();
      if (i == 0 && !failed_) take_counts();
    }
    if (!silent_ && !result_.runs.empty()) take_memory();
    return std::move(result_);
  }

 private:
  /// So many as one step, which may take as long as they would apart.
  void run_rest(int times) {
    job_->in_a_row = times;
    const bool went_well = step(run_in_a_row, times);
    if (silent_) return;
    result_.runs.insert(result_.runs.end(), job_->runs.begin(),
                        job_->runs.end());
    if (went_well) compare();
  }

  /// Whether it went well.
  bool step(void (*body)(Job&), int times = 1) {
    const Seconds most = most_ * times;
    if (!worker_.run([job = job_, body] { body(*job); }, most)) {
      silent_ = true;
      result_.result = Failure{
          .kind = Failure::Kind::kCrashed,
          .rule = {},
          .message = fmt::format("no answer within {:g} s", most.count())};
    } else if (job_->failure) {
      result_.result = *job_->failure;
    } else {
      return true;
    }
    failed_ = true;
    return false;
  }

  void take_run() {
    result_.runs.push_back(job_->seconds);
    if (result_.runs.size() == 1) {
      result_.result = std::move(job_->observation);
    } else {
      compare();
    }
  }

  void compare() {
    if (same_outcome(result_.result, job_->observation)) return;
    if (result_.others++ == 0) result_.other = std::move(job_->observation);
  }

  void take_counts() {
    if (job_->executable == nullptr) return;
    if (step(count)) result_.counts = job_->counts;
  }

  void take_memory() {
    result_.memory = job_->worker ? peak_memory_of_group(job_->worker->group)
                                  : peak_memory();
  }

  std::shared_ptr<Job> job_;
  Seconds most_;
  TimedRuns result_;
  bool failed_ = false;
  bool silent_ = false;  // a thread has the job
  Worker worker_;
};

}  // namespace

TimedRuns run_timed(const TimedProgram& program, int times, Seconds most,
                    Looks looks) {
  return Timing(program, most).run(times, looks);
}

std::string time_text(double seconds) {
  constexpr double kMilli = 1e-3;
  constexpr double kMicro = 1e-6;
  if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
  if (seconds >= kMilli) return fmt::format("{:.2f} ms", seconds / kMilli);
  return fmt::format("{:.2f} us", seconds / kMicro);
}

double median(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  const size_t middle = numbers.size() / 2;
  if (numbers.size() % 2 == 1) return numbers.at(middle);
  return (numbers.at(middle - 1) + numbers.at(middle)) / 2;
}

}  // namespace hlo::conformance
