#include <benchmark/benchmark.h>
#include <mpfr.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <vector>

#include "interpreter/numeric/double_functions.h"
#include "interpreter/numeric/oracle.h"
#include "interpreter/numeric/real.h"
#include "interpreter/numeric/rounded.h"

// The functions of double on useful arguments: nanoseconds of the thread's own
// time for each element, and how many times as long MPFR takes at 53 bits.
namespace hlo::numeric {
namespace {

constexpr int64_t kCount = 100'000;

struct Row {
  Function function;
  const char* name;
  int (*evaluate)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);  // may be missing
  double low;
  double high;
  bool all_exponents = false;  // of positive arguments
};

constexpr std::array kRows = {
    Row{Function::kExponential, "exponential", mpfr_exp, -708, 709},
    Row{Function::kExponentialMinusOne, "exponential-minus-one", mpfr_expm1,
        -37, 709},
    Row{Function::kLogistic, "logistic", nullptr, -40, 40},
    Row{Function::kLog, "log", mpfr_log, -1022, 1023, true},
    Row{Function::kLogPlusOne, "log-plus-one", mpfr_log1p, -52, 1023, true},
    Row{Function::kSine, "sine", mpfr_sin, -100, 100},
    Row{Function::kCosine, "cosine", mpfr_cos, -100, 100},
    Row{Function::kTan, "tan", mpfr_tan, -100, 100},
    Row{Function::kAsin, "asin", mpfr_asin, -1, 1},
    Row{Function::kAcos, "acos", mpfr_acos, -1, 1},
    Row{Function::kAtan, "atan", mpfr_atan, -10, 10},
    Row{Function::kSinh, "sinh", mpfr_sinh, -100, 100},
    Row{Function::kCosh, "cosh", mpfr_cosh, -100, 100},
    Row{Function::kTanh, "tanh", mpfr_tanh, -9, 9},
    Row{Function::kAsinh, "asinh", mpfr_asinh, -100, 100},
    Row{Function::kAcosh, "acosh", mpfr_acosh, 1, 100},
    Row{Function::kAtanh, "atanh", mpfr_atanh, -1, 1},
    Row{Function::kRsqrt, "rsqrt", mpfr_rec_sqrt, -1022, 1023, true},
    Row{Function::kCbrt, "cbrt", mpfr_cbrt, -1022, 1023, true},
    Row{Function::kErf, "erf", mpfr_erf, -4, 4},
};

std::vector<double> arguments(const Row& row, uint64_t seed = 1) {
  oracle::Random random(seed);
  std::vector<double> found(kCount);
  for (double& x : found) {
    const double part = static_cast<double>(random.bits() >> 11) * 0x1p-53;
    x = row.low + (row.high - row.low) * part;
    if (row.all_exponents) x = std::exp2(x);
  }
  return found;
}

// x^y for x in [0.1, 10], y in [-10, 10]; the angles of points.
struct Row2 {
  Function2 function;
  const char* name;
  int (*evaluate)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
};

constexpr std::array kRows2 = {
    Row2{Function2::kPower, "power", mpfr_pow},
    Row2{Function2::kAtan2, "atan2", mpfr_atan2},
};

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9;
}

double mpfr_ns(const Row& row, const std::vector<double>& xs) {
  constexpr size_t kShare = 50;
  Real x(53);
  Real result(53);
  double sum = 0;
  const double begin = thread_seconds();
  for (size_t i = 0; i < xs.size(); i += kShare) {
    mpfr_set_d(x.get(), xs[i], MPFR_RNDN);
    row.evaluate(result.get(), x.get(), MPFR_RNDN);
    sum += mpfr_get_d(result.get(), MPFR_RNDN);
  }
  benchmark::DoNotOptimize(sum);
  return (thread_seconds() - begin) * 1e9 * kShare / kCount;
}

void run(benchmark::State& state, const Row& row) {
  const std::vector<double> xs = arguments(row);
  std::vector<double> results(kCount);
  double seconds = 0;
  for (auto _ : state) {
    const double begin = thread_seconds();
    round_function_array(row.function, xs.data(), results.data(), kCount,
                         format(ElementType::kF64));
    seconds += thread_seconds() - begin;
    benchmark::DoNotOptimize(results.data());
  }
  const double ns =
      seconds * 1e9 / static_cast<double>(state.iterations() * kCount);
  state.counters["ns"] = ns;
  if (row.evaluate != nullptr) state.counters["mpfr"] = mpfr_ns(row, xs) / ns;
}

double mpfr_ns(const Row2& row, const std::vector<double>& xs,
               const std::vector<double>& ys) {
  constexpr size_t kShare = 50;
  Real x(53);
  Real y(53);
  Real result(53);
  double sum = 0;
  const double begin = thread_seconds();
  for (size_t i = 0; i < xs.size(); i += kShare) {
    mpfr_set_d(x.get(), xs[i], MPFR_RNDN);
    mpfr_set_d(y.get(), ys[i], MPFR_RNDN);
    row.evaluate(result.get(), x.get(), y.get(), MPFR_RNDN);
    sum += mpfr_get_d(result.get(), MPFR_RNDN);
  }
  benchmark::DoNotOptimize(sum);
  return (thread_seconds() - begin) * 1e9 * kShare / kCount;
}

void run2(benchmark::State& state, const Row2& row) {
  const std::vector<double> xs =
      arguments({Function::kExponential, "", nullptr, 0.1, 10});
  const std::vector<double> ys =
      arguments({Function::kExponential, "", nullptr, -10, 10}, 2);
  std::vector<double> results(kCount);
  double seconds = 0;
  for (auto _ : state) {
    const double begin = thread_seconds();
    round_double2_array(row.function, xs.data(), ys.data(), results.data(),
                        kCount);
    seconds += thread_seconds() - begin;
    benchmark::DoNotOptimize(results.data());
  }
  const double ns =
      seconds * 1e9 / static_cast<double>(state.iterations() * kCount);
  state.counters["ns"] = ns;
  state.counters["mpfr"] = mpfr_ns(row, xs, ys) / ns;
}

}  // namespace
}  // namespace hlo::numeric

int main(int argc, char** argv) {
  for (const auto& row : hlo::numeric::kRows) {
    benchmark::RegisterBenchmark(row.name, [&row](benchmark::State& state) {
      hlo::numeric::run(state, row);
    });
  }
  for (const auto& row : hlo::numeric::kRows2) {
    benchmark::RegisterBenchmark(row.name, [&row](benchmark::State& state) {
      hlo::numeric::run2(state, row);
    });
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
