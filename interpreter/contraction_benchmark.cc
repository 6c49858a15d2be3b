#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/random_case.h"

// Each figure is the time of one multiplication with its addition; the first
// rows are what a plain loop in double (not correctly rounded) takes.

namespace hlo {
namespace {

using testing::make_instruction;
using testing::Owned;

/// Small numbers of both signs that are not exact in few bits.
Literal numbers(const Shape& shape) {
  Literal literal(shape);
  uint64_t state = 1;
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    const auto x = static_cast<double>(static_cast<int64_t>(state)) * 0x1p-63;
    const ElementType type = component_type(shape.element_type);
    Scalar scalar{shape.element_type, {state >> 40, 0}};
    if (is_float(type)) {
      scalar.bits = {numeric::encode(x, numeric::format(type)), 0};
    } else {
      scalar.bits[0] &= ~uint64_t{0} >> (64 - bits(type));
    }
    literal.set(i, scalar);
  }
  return literal;
}

void run(benchmark::State& state, const Owned& owned, int64_t products) {
  const std::vector<Literal> operands = {
      numbers(owned.instruction.operand_shape(0)),
      numbers(owned.instruction.operand_shape(1))};
  Evaluator evaluator;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        evaluate_instruction(owned.instruction, operands, evaluator));
  }
  state.counters["ns/MAC"] =
      benchmark::Counter(static_cast<double>(products) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
}

void dot(benchmark::State& state, ElementType type) {
  const int64_t n = state.range(0);
  run(state,
      *make_instruction(
          "dot", {Shape::array(type, {n, n}), Shape::array(type, {n, n})},
          {{"lhs_contracting_dims", Ints{1}},
           {"rhs_contracting_dims", Ints{0}}}),
      n * n * n);
}

/// batch x size x size x features with a kernel of 3 x 3.
void convolution(benchmark::State& state, int64_t groups) {
  const int64_t batch = 2, size = 56, features = 64;
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
      batch * size * size * features * 9 * (features / groups));
}

/// A product of matrices as one would write it, in double.
void plain_loop(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Literal a = numbers(Shape::array(ElementType::kF32, {n, n}));
  const Literal b = numbers(Shape::array(ElementType::kF32, {n, n}));
  const auto x = a.data<float>();
  const auto y = b.data<float>();
  std::vector<float> result(x.size());
  for (auto _ : state) {
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < n; ++k) {
          sum += static_cast<double>(x[static_cast<size_t>(i * n + k)]) *
                 static_cast<double>(y[static_cast<size_t>(k * n + j)]);
        }
        result[static_cast<size_t>(i * n + j)] = static_cast<float>(sum);
      }
    }
    benchmark::DoNotOptimize(result.data());
  }
  state.counters["ns/MAC"] =
      benchmark::Counter(static_cast<double>(n * n * n) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
}

BENCHMARK(plain_loop)->Arg(256)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dot, f32, ElementType::kF32)
    ->Arg(256)
    ->Arg(512)
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
BENCHMARK_CAPTURE(convolution, resnet, int64_t{1})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(convolution, depthwise, int64_t{64})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hlo

BENCHMARK_MAIN();
