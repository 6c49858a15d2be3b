#include <benchmark/benchmark.h>
#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "interpreter/numeric/f64/double_binary_functions.h"
#include "interpreter/numeric/f64/double_functions.h"
#include "interpreter/numeric/special/testing/oracle_functions.h"
#include "interpreter/testing/timing.h"

// The functions of f64 that are evaluated in pairs of doubles, on useful
// arguments: what an element costs, and how many times as long MPFR takes at 53
// bits.
namespace hlo::numeric {
namespace {

constexpr int64_t kCount = 100'000;
constexpr size_t kShare = 50;  // of the elements go through MPFR

bool has_approximation(Function function) {
  return !std::isnan(approximate(function, 0.5).hi) ||
         !std::isnan(approximate(function, 1.5).hi);
}

bool has_approximation(Function2 function) {
  return !std::isnan(approximate2(function, 0.5, 1.5).hi);
}

std::vector<double> values(uint64_t seed, double low, double high) {
  oracle::Random random(seed);
  std::vector<double> found(kCount);
  for (double& x : found) x = oracle::useful(random, low, high);
  return found;
}

template <typename Body, typename Evaluate>
void compare(benchmark::State& state, const Body& body,
             const Evaluate& evaluate) {
  body();  // makes the tables
  timing::Row(state, body).per("element", kCount);
  const timing::Baseline mpfr = timing::baseline("mpfr", [&] {
    for (size_t i = 0; i < kCount; i += kShare) {
      benchmark::DoNotOptimize(evaluate(i));
    }
  });
  const double nanoseconds = mpfr.seconds * 1e9 * kShare / kCount;
  state.counters["mpfr_x"] = nanoseconds / state.counters["ns/element"];
}

void unary(benchmark::State& state, const oracle::Unary& row) {
  const std::vector<double> x = values(1, row.low, row.high);
  std::vector<double> to(kCount);
  Real operand(53);
  Real result(53);
  compare(
      state,
      [&] { round_double_array(row.function, x.data(), to.data(), kCount); },
      [&](size_t i) {
        set(operand, x[i]);
        row.evaluate(result.get(), operand.get(), MPFR_RNDN);
        return mpfr_get_d(result.get(), MPFR_RNDN);
      });
}

void binary(benchmark::State& state, const oracle::Binary& row) {
  const std::vector<double> x = values(1, row.low_x, row.high_x);
  const std::vector<double> y = values(2, row.low_y, row.high_y);
  std::vector<double> to(kCount);
  Real first(53);
  Real second(53);
  Real result(53);
  compare(
      state,
      [&] {
        round_double2_array(row.function, x.data(), y.data(), to.data(),
                            kCount);
      },
      [&](size_t i) {
        set(first, x[i]);
        set(second, y[i]);
        row.evaluate(result.get(), first.get(), second.get(), MPFR_RNDN);
        return mpfr_get_d(result.get(), MPFR_RNDN);
      });
}

void register_all() {
  for (const oracle::Unary& row : oracle::kUnary) {
    if (!has_approximation(row.function)) continue;
    benchmark::RegisterBenchmark(
        row.name, [&row](benchmark::State& state) { unary(state, row); });
  }
  for (const oracle::Binary& row : oracle::kBinary) {
    if (!has_approximation(row.function)) continue;
    benchmark::RegisterBenchmark(
        row.name, [&row](benchmark::State& state) { binary(state, row); });
  }
}

}  // namespace
}  // namespace hlo::numeric

int main(int argc, char** argv) {
  hlo::numeric::register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
