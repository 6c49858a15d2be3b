#include <benchmark/benchmark.h>

#include <complex>
#include <numbers>
#include <random>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/testing/random_case.h"
#include "interpreter/testing/timing.h"

// Exact transforms, rounded once, beside a plain recursive one in double.

namespace hlo {
namespace {

using Complex = std::complex<double>;

/// A transform of a power of two of numbers.
void plain(const Complex* x, int64_t n, int64_t stride, Complex* result) {
  if (n == 1) {
    *result = *x;
    return;
  }
  plain(x, n / 2, 2 * stride, result);
  plain(x + stride, n / 2, 2 * stride, result + n / 2);
  const Complex step =
      std::polar(1.0, -2 * std::numbers::pi / static_cast<double>(n));
  Complex root = 1;
  for (int64_t k = 0; k < n / 2; ++k, root *= step) {
    const Complex odd = root * result[n / 2 + k];
    result[n / 2 + k] = result[k] - odd;
    result[k] += odd;
  }
}

timing::Baseline plain_transform() {
  const int64_t n = 1024;
  std::vector<Complex> x(n, {0.25, 0.5});
  std::vector<Complex> result(n);
  return timing::baseline("plain_double_fft_of_1024", [&] {
    plain(x.data(), n, 1, result.data());
    benchmark::DoNotOptimize(result.data());
  });
}

/// One transform of normal random numbers.
void transform(benchmark::State& state, ElementType type) {
  const int64_t n = state.range(0);
  const Shape shape = Shape::array(type, {n});
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  Literal operand(shape);
  const numeric::FloatFormat& format = numeric::format(component_type(type));
  for (int64_t i = 0; i < n; ++i) {
    operand.set(i, {type,
                    {numeric::encode(normal(engine), format),
                     numeric::encode(normal(engine), format)}});
  }
  const auto owned = testing::make_instruction(
      "fft", {shape}, {{"fft_type", Word{"FFT"}}, {"fft_length", Ints{n}}});
  Evaluator evaluator(kReference, {.max_work = Budget::kEndless});
  const std::vector<Literal> operands = {operand};
  timing::Baseline other = plain_transform();
  other.seconds *= static_cast<double>(n) / 1024;
  timing::Row(state,
              [&] {
                benchmark::DoNotOptimize(evaluate_instruction(
                    owned->instruction, operands, evaluator));
              })
      .per("element", n)
      .against(other);
}

// 1000 = 8 * 125; 127 is the largest prime a transform of which takes its
// square of operations; those of the others are convolutions.
BENCHMARK_CAPTURE(transform, c64, ElementType::kC64)
    ->Arg(64)
    ->Arg(127)
    ->Arg(131)
    ->Arg(1000)
    ->Arg(1021)
    ->Arg(1024)
    ->Arg(16411)
    ->Arg(65536)
    ->Arg(65537);
BENCHMARK_CAPTURE(transform, c128, ElementType::kC128)->Arg(1024);

}  // namespace
}  // namespace hlo

BENCHMARK_MAIN();
