#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

// What the benchmarks share; no program includes it. A row says its median of
// CPU seconds of this thread, and how many times as long it takes as a named
// baseline that the same program runs on the same data.
namespace hlo::timing {

inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9;
}

template <typename Body>
double seconds_once(Body& body) {
  const double begin = thread_seconds();
  body();
  return thread_seconds() - begin;
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Another way to do a row's work.
struct Baseline {
  std::string name;
  double seconds = 0;
};

/// Runs `body` at least three times and for 20 ms, behind one run unmeasured.
template <typename Body>
Baseline baseline(std::string name, Body body) {
  std::vector<double> seconds;
  body();
  const double begin = thread_seconds();
  while (seconds.size() < 3 || thread_seconds() - begin < 0.02) {
    seconds.push_back(seconds_once(body));
  }
  return {std::move(name), median(seconds)};
}

/// One row of a benchmark's output.
class Row {
 public:
  /// Runs `body`, of some microseconds or more, as often as `state` wants.
  template <typename Body>
  Row(benchmark::State& state, Body body) : state_(state) {
    std::vector<double> seconds;
    for (auto _ : state) seconds.push_back(seconds_once(body));
    seconds_ = median(seconds);
  }

  /// Says the nanoseconds for each of `count` things.
  Row& per(const std::string& thing, int64_t count) {
    count_ = static_cast<double>(count);
    state_.counters["ns/" + thing] = seconds_ * 1e9 / count_;
    return *this;
  }

  /// Says the nanoseconds for each unit of work that it is charged for: about
  /// one is meant (interpreter/run/budget.h).
  Row& charged(int64_t work) {
    state_.counters["ns_a_unit"] = seconds_ * 1e9 / static_cast<double>(work);
    return *this;
  }

  /// Says how many of `amount` units it does in a second.
  Row& rate(const std::string& unit, double amount) {
    state_.counters[unit + "/s"] = amount / seconds_;
    return *this;
  }

  /// Says how many times as long the row takes as `other`.
  Row& against(const Baseline& other) {
    state_.counters["of_" + other.name] = seconds_ / other.seconds;
    return *this;
  }

  /// Says how many times as long `other` takes.
  Row& gain_over(const Baseline& other) {
    state_.counters["gain_over_" + other.name] = other.seconds / seconds_;
    return *this;
  }

  /// Says how many times as long as the row StableHLO's interpreter takes,
  /// which needs `nanoseconds` for each of the things that per() counted
  /// (v1.4.1 with -O3, CPU time on a server of 2024); 0: not known.
  Row& against_stablehlo(double nanoseconds) {
    if (nanoseconds > 0) {
      state_.counters["stablehlo_x"] = nanoseconds * count_ * 1e-9 / seconds_;
    }
    return *this;
  }

 private:
  benchmark::State& state_;
  double seconds_ = 0;
  double count_ = 1;
};

}  // namespace hlo::timing
