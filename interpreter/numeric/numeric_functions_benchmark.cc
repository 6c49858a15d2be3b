#include <benchmark/benchmark.h>
#include <mpfr.h>

#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/numeric/rounded.h"
#include "interpreter/numeric/special/testing/oracle_functions.h"
#include "interpreter/testing/timing.h"

// Every function of the formats up to f32 on arrays of useful arguments: what
// an element costs, and how many times as long MPFR takes at the format's
// precision (1 / of_mpfr); for f32 also on random bits, as a sweep over all
// arguments.
namespace hlo::numeric {
namespace {

using enum ElementType;

constexpr int64_t kCount = 100'000;
constexpr int64_t kShare = 50;  // of the elements go through MPFR

// Storage of any type, aligned as f64.
using Storage = std::vector<uint64_t>;

std::vector<double> useful_values(uint64_t seed, double low, double high) {
  oracle::Random random(seed);
  std::vector<double> values(kCount);
  for (double& x : values) x = oracle::useful(random, low, high);
  return values;
}

Storage encoded(const std::vector<double>& values, ElementType type) {
  Storage storage(values.size());
  encode_array(values.data(), storage.data(), kCount, format(type));
  return storage;
}

Storage random_bits() {
  oracle::Random random(3);
  Storage storage(kCount);
  for (uint64_t& bits : storage) bits = random.bits();
  return storage;
}

// Runs `body`, and evaluate(i) for one element in kShare.
template <typename Body, typename Evaluate>
void compare(benchmark::State& state, const Body& body,
             const Evaluate& evaluate) {
  body();  // makes the table
  timing::Row(state, body).per("element", kCount);
  const timing::Baseline mpfr = timing::baseline("mpfr", [&] {
    for (int64_t i = 0; i < kCount; i += kShare) {
      benchmark::DoNotOptimize(evaluate(static_cast<size_t>(i)));
    }
  });
  const double nanoseconds = mpfr.seconds * 1e9 * kShare / kCount;
  state.counters["mpfr_x"] = nanoseconds / state.counters["ns/element"];
}

void unary(benchmark::State& state, const oracle::Unary& row,
           ElementType type) {
  const std::vector<double> x = useful_values(1, row.low, row.high);
  const Storage from = encoded(x, type);
  Storage to(kCount);
  Real operand(53);
  Real result(format(type).precision());
  compare(
      state,
      [&] {
        round_function_array(row.function, from.data(), to.data(), kCount,
                             format(type));
      },
      [&](size_t i) {
        mpfr_set_d(operand.get(), x[i], MPFR_RNDN);
        row.evaluate(result.get(), operand.get(), MPFR_RNDN);
        return mpfr_get_flt(result.get(), MPFR_RNDN);
      });
}

void any_bits(benchmark::State& state, const oracle::Unary& row) {
  const Storage from = random_bits();
  Storage to(kCount);
  timing::Row(state, [&] {
    round_function_array(row.function, from.data(), to.data(), kCount,
                         format(kF32));
  }).per("element", kCount);
}

void binary(benchmark::State& state, const oracle::Binary& row,
            ElementType type) {
  const std::vector<double> x = useful_values(1, row.low_x, row.high_x);
  const std::vector<double> y = useful_values(2, row.low_y, row.high_y);
  const Storage first = encoded(x, type);
  const Storage second = encoded(y, type);
  Storage to(kCount);
  Real a(53);
  Real b(53);
  Real result(format(type).precision());
  compare(
      state,
      [&] {
        round_function2_array(row.function, first.data(), second.data(),
                              to.data(), kCount, format(type));
      },
      [&](size_t i) {
        mpfr_set_d(a.get(), x[i], MPFR_RNDN);
        mpfr_set_d(b.get(), y[i], MPFR_RNDN);
        row.evaluate(result.get(), a.get(), b.get(), MPFR_RNDN);
        return mpfr_get_flt(result.get(), MPFR_RNDN);
      });
}

void register_rows() {
  const auto add = [](const char* name, ElementType type, const auto& run) {
    const std::string title = std::string(name) + "/" + hlo::name(type).data();
    benchmark::RegisterBenchmark(title.c_str(), run);
  };
  for (const oracle::Unary& row : oracle::kUnary) {
    for (const ElementType type : {kF32, kF16, kBF16, kF8E4M3FN}) {
      add(row.name, type,
          [&row, type](benchmark::State& state) { unary(state, row, type); });
    }
    const std::string title = std::string(row.name) + "/f32/any_bits";
    benchmark::RegisterBenchmark(
        title.c_str(),
        [&row](benchmark::State& state) { any_bits(state, row); });
  }
  for (const oracle::Binary& row : oracle::kBinary) {
    for (const ElementType type : {kF32, kF16, kBF16, kF8E4M3FN}) {
      add(row.name, type,
          [&row, type](benchmark::State& state) { binary(state, row, type); });
    }
  }
}

}  // namespace
}  // namespace hlo::numeric

int main(int argc, char** argv) {
  hlo::numeric::register_rows();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
