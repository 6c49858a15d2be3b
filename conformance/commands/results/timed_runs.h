#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/jobs/worker.h"
#include "conformance/judge/judge.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// A program on a backend. It is shared with threads that are left alone.
struct TimedProgram {
  std::shared_ptr<Backend> backend;
  std::shared_ptr<const Module> module;
  std::vector<Literal> arguments;  // array leaves of the parameters
};

/// When the results of the runs behind the first are looked at: this takes
/// memory and caches, so that the next run begins as the first one did.
enum class Looks : uint8_t { kAfterEach, kAfterTheLast };

/// What it came to. Times are of a clock on the wall, in seconds.
struct TimedRuns {
  /// Until the worker of a backend with processes of its own was ready.
  std::optional<double> start = {};
  /// Nothing where a backend compiles as it runs.
  std::optional<double> compile = {};
  std::vector<double> runs = {};  // of buffers to buffers
  /// What the first run came to; the failure of the first that failed, or did
  /// not end in its time.
  Observation result = Failure{};
  int others = 0;  // so many later runs, if looked at, had other results
  std::optional<Observation> other = {};  // that of the first of them
  /// What the backend counted in the first run, where it counts.
  std::optional<std::string> counts = {};
  /// The most bytes that the backend's processes, or this one, had.
  std::optional<int64_t> memory = {};
  /// What this process had before, where the backend is in it.
  std::optional<int64_t> memory_before = {};
};

/// Runs the program so many times, each step at most so long; no more after
/// one that fails.
TimedRuns run_timed(const TimedProgram& program, int times, Seconds most,
                    Looks looks = Looks::kAfterEach);

/// "1.23 ms": with a unit that suits it.
std::string time_text(double seconds);

/// The median of at least one number; the mean of the middle two where they
/// are even in number.
double median(std::vector<double> numbers);

}  // namespace hlo::conformance
