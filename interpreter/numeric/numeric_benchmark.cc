#include <benchmark/benchmark.h>
#include <mpfr.h>

#include <string>
#include <vector>

#include "interpreter/numeric/complex/rounded_complex.h"
#include "interpreter/numeric/exact/decimal.h"
#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/real/testing/oracle.h"

// Nanoseconds for each element, and for MPFR in the same run.
namespace hlo::numeric {
namespace {

using enum ElementType;

constexpr int64_t kCount = 1 << 14;

std::vector<double> values(int low, int high) {
  oracle::Random random(1);
  std::vector<double> found(kCount);
  for (double& x : found) x = random.real(low, high);
  return found;
}

// Storage of any type, aligned as f64.
using Storage = std::vector<uint64_t>;

Storage encoded(const std::vector<double>& from, const FloatFormat& f) {
  Storage storage(from.size());
  encode_array(from.data(), storage.data(), kCount, f);
  return storage;
}

void count(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * kCount);
}

void encode_all(benchmark::State& state, ElementType type) {
  const std::vector<double> from = values(-8, 8);
  Storage to(kCount);
  for (auto _ : state) {
    encode_array(from.data(), to.data(), kCount, format(type));
    benchmark::DoNotOptimize(to.data());
  }
  count(state);
}

void decode_all(benchmark::State& state, ElementType type) {
  const Storage from = encoded(values(-8, 8), format(type));
  std::vector<double> to(kCount);
  for (auto _ : state) {
    decode_array(from.data(), to.data(), kCount, format(type));
    benchmark::DoNotOptimize(to.data());
  }
  count(state);
}

void sum_all(benchmark::State& state, bool products) {
  const std::vector<double> a = values(-8, 8);
  ExactSum sum;
  for (auto _ : state) {
    sum.clear();
    if (products) {
      sum.add_products(a.data(), a.data(), kCount);
    } else {
      sum.add_all(a.data(), kCount);
    }
    benchmark::DoNotOptimize(sum.round(format(kF64)));
  }
  count(state);
}

void mpfr_sum(benchmark::State& state) {
  const std::vector<double> a = values(-8, 8);
  Real sum(2200);
  for (auto _ : state) {
    mpfr_set_zero(sum.get(), 1);
    for (const double x : a) mpfr_add_d(sum.get(), sum.get(), x, MPFR_RNDN);
    benchmark::DoNotOptimize(mpfr_get_d(sum.get(), MPFR_RNDN));
  }
  count(state);
}

void complex_all(benchmark::State& state, ComplexFunction2 function,
                 ElementType type) {
  const Storage x = encoded(values(-8, 8), format(type));
  Storage to(kCount);
  for (auto _ : state) {
    round_complex_array2(function, x.data(), x.data(), to.data(), kCount / 2,
                         format(type));
    benchmark::DoNotOptimize(to.data());
  }
  state.SetItemsProcessed(state.iterations() * kCount / 2);
}

void read_decimals(benchmark::State& state, ElementType type) {
  std::vector<std::string> texts;
  for (const double x : values(-8, 8)) {
    texts.push_back(to_decimal(encode(x, format(type)), format(type)));
  }
  for (auto _ : state) {
    for (const std::string& text : texts) {
      benchmark::DoNotOptimize(from_decimal(text, format(type)));
    }
  }
  count(state);
}

void write_decimals(benchmark::State& state, ElementType type) {
  const std::vector<double> x = values(-8, 8);
  for (auto _ : state) {
    for (const double each : x) {
      benchmark::DoNotOptimize(
          to_decimal(encode(each, format(type)), format(type)));
    }
  }
  count(state);
}

BENCHMARK_CAPTURE(encode_all, f16, kF16);
BENCHMARK_CAPTURE(encode_all, bf16, kBF16);
BENCHMARK_CAPTURE(encode_all, f32, kF32);
BENCHMARK_CAPTURE(encode_all, f8e4m3fn, kF8E4M3FN);
BENCHMARK_CAPTURE(decode_all, f16, kF16);
BENCHMARK_CAPTURE(decode_all, bf16, kBF16);
BENCHMARK_CAPTURE(decode_all, f32, kF32);
BENCHMARK_CAPTURE(decode_all, f8e4m3fn, kF8E4M3FN);
BENCHMARK_CAPTURE(sum_all, terms, false);
BENCHMARK_CAPTURE(sum_all, products, true);
BENCHMARK(mpfr_sum);
BENCHMARK_CAPTURE(complex_all, add_c64, ComplexFunction2::kAdd, kF32);
BENCHMARK_CAPTURE(complex_all, multiply_c64, ComplexFunction2::kMultiply, kF32);
BENCHMARK_CAPTURE(complex_all, divide_c64, ComplexFunction2::kDivide, kF32);
BENCHMARK_CAPTURE(complex_all, multiply_c128, ComplexFunction2::kMultiply,
                  kF64);
BENCHMARK_CAPTURE(read_decimals, f32, kF32);
BENCHMARK_CAPTURE(read_decimals, f64, kF64);
BENCHMARK_CAPTURE(write_decimals, f32, kF32);
BENCHMARK_CAPTURE(write_decimals, bf16, kBF16);

}  // namespace
}  // namespace hlo::numeric

BENCHMARK_MAIN();
