#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/testing/random_case.h"
#include "interpreter/testing/timing.h"

// The time of one multiplication with its addition, beside that of a plain loop
// in double over f32 matrices of 256 x 256, which rounds at every step.

namespace hlo {
namespace {

using testing::make_instruction;
using testing::Owned;

/// Normal random numbers, or integers of all bits; others for another seed.
Literal numbers(const Shape& shape, uint32_t seed) {
  Literal literal(shape);
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  const ElementType type = component_type(shape.element_type);
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    Scalar scalar{shape.element_type, {0, 0}};
    for (uint64_t& bits_of_part : scalar.bits) {
      bits_of_part = is_float(type) ? numeric::encode(normal(engine),
                                                      numeric::format(type))
                                    : engine() >> (64 - bits(type));
    }
    literal.set(i, scalar);
  }
  return literal;
}

/// A product of matrices in double, row by row.
void multiply(float* to, const float* x, const float* y, int64_t n) {
  std::vector<double> row(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    std::ranges::fill(row, 0);
    for (int64_t k = 0; k < n; ++k) {
      const double factor = x[i * n + k];
      const float* from = y + k * n;
      for (double& sum : row) sum += factor * static_cast<double>(*from++);
    }
    for (const double sum : row) *to++ = static_cast<float>(sum);
  }
}

/// The time of `products` multiplications in the plain loop.
timing::Baseline plain_loop(int64_t products) {
  const int64_t n = 256;
  const Literal x = numbers(Shape::array(ElementType::kF32, {n, n}), 1);
  std::vector<float> result(static_cast<size_t>(n * n));
  timing::Baseline loop = timing::baseline("plain_f32_loop", [&] {
    const float* from = x.data<float>().data();
    multiply(result.data(), from, from, n);
    benchmark::DoNotOptimize(result.data());
    benchmark::ClobberMemory();
  });
  loop.seconds *=
      static_cast<double>(products) / static_cast<double>(n * n * n);
  return loop;
}

timing::Row run(benchmark::State& state, const Owned& owned,
                const std::vector<Literal>& operands, int64_t products) {
  Evaluator evaluator(kReference, {.max_work = Budget::kEndless});
  const auto body = [&] {
    benchmark::DoNotOptimize(
        evaluate_instruction(owned.instruction, operands, evaluator));
  };
  return timing::Row(state, body)
      .per("MAC", products)
      .against(plain_loop(products));
}

timing::Row run(benchmark::State& state, const Owned& owned, int64_t products) {
  return run(state, owned,
             {numbers(owned.instruction.operand_shape(0), 1),
              numbers(owned.instruction.operand_shape(1), 2)},
             products);
}

void dot(benchmark::State& state, ElementType type) {
  const int64_t n = state.range(0);
  run(state,
      *make_instruction(
          "dot", {Shape::array(type, {n, n}), Shape::array(type, {n, n})},
          {{"lhs_contracting_dims", Ints{1}},
           {"rhs_contracting_dims", Ints{0}}}),
      n * n * n)
      .against_stablehlo(type == ElementType::kF32 ? 370 : 0);
}

/// Dot products of two vectors, and of a matrix and a vector.
void vectors(benchmark::State& state, ElementType type, int64_t rows) {
  const int64_t n = state.range(0);
  const Shape lhs =
      rows == 1 ? Shape::array(type, {n}) : Shape::array(type, {rows, n});
  run(state,
      *make_instruction("dot", {lhs, Shape::array(type, {n})},
                        {{"lhs_contracting_dims", Ints{rows == 1 ? 0 : 1}},
                         {"rhs_contracting_dims", Ints{0}}}),
      rows * n);
}

/// A dot product whose second half is the negative of the first: the sum is
/// zero, and only an exact sum knows.
void cancels(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Shape shape = Shape::array(ElementType::kF32, {n});
  std::vector<Literal> operands = {numbers(shape, 1), numbers(shape, 2)};
  const std::span<float> lhs = operands[0].mutable_data<float>();
  const std::span<float> rhs = operands[1].mutable_data<float>();
  const auto half = static_cast<size_t>(n / 2);
  std::ranges::transform(lhs.first(half), lhs.begin() + n / 2, std::negate{});
  std::ranges::copy(rhs.first(half), rhs.begin() + n / 2);
  run(state,
      *make_instruction("dot", {shape, shape},
                        {{"lhs_contracting_dims", Ints{0}},
                         {"rhs_contracting_dims", Ints{0}}}),
      operands, n);
}

/// batch x size x size x features with a kernel of 3 x 3.
void convolution(benchmark::State& state, int64_t groups) {
  const int64_t batch = 5;
  const int64_t size = 56;
  const int64_t features = 64;
  const DimLabels labels{.input = {0, 3, {1, 2}, {}},
                         .kernel = {2, 3, {0, 1}, {}},
                         .output = {0, 3, {1, 2}, {}}};
  const WindowDimension window{.size = 3, .low = 1, .high = 1};
  run(state,
      *make_instruction(
          "convolution",
          {Shape::array(ElementType::kF32, {batch, size, size, features}),
           Shape::array(ElementType::kF32,
                        {3, 3, features / groups, features})},
          {{"window", Window{{window, window}}},
           {"dim_labels", labels},
           {"feature_group_count", groups}}),
      batch * size * size * features * 9 * (features / groups))
      .against_stablehlo(416);
}

BENCHMARK_CAPTURE(dot, f32, ElementType::kF32)
    ->Arg(256)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dot, bf16, ElementType::kBF16)
    ->Arg(256)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dot, s8, ElementType::kS8)
    ->Arg(256)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dot, s64, ElementType::kS64)
    ->Arg(256)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dot, c64, ElementType::kC64)
    ->Arg(128)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dot, f64, ElementType::kF64)
    ->Arg(128)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(vectors, f32, ElementType::kF32, 1)->Arg(512)->Arg(65536);
BENCHMARK(cancels)->Name("vectors/f32_cancels")->Arg(65536);
BENCHMARK_CAPTURE(vectors, f64, ElementType::kF64, 1)->Arg(65536);
BENCHMARK_CAPTURE(vectors, bf16, ElementType::kBF16, 1)->Arg(65536);
BENCHMARK_CAPTURE(vectors, f32_by_matrix, ElementType::kF32, 1000)->Arg(1000);
BENCHMARK_CAPTURE(convolution, resnet, int64_t{1})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(convolution, depthwise, int64_t{64})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hlo

BENCHMARK_MAIN();
