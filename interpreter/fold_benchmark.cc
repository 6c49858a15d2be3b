#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/random_case.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify.h"

// Time per element; the first row is what a plain loop in double takes,
// which rounds at every step.

namespace hlo {
namespace {

constexpr int64_t kSide = 1000;

Literal numbers(const Shape& shape) {
  Literal literal(shape);
  uint64_t state = 1;
  for (float& x : literal.mutable_data<float>()) {
    state = state * 6364136223846793005 + 1442695040888963407;
    x = static_cast<float>(static_cast<int64_t>(state)) * 0x1p-63F;
  }
  return literal;
}

void count_elements(benchmark::State& state, int64_t elements) {
  state.counters["ns/element"] =
      benchmark::Counter(static_cast<double>(elements) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
}

/// Runs the root of a program on `operand` and zeros.
void run(benchmark::State& state, const std::string& text,
         const std::vector<Literal>& operands, int64_t elements) {
  Module module = text::parse(text);
  verify(module);
  Evaluator evaluator;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        evaluate_instruction(*module.entry->root, operands, evaluator));
  }
  count_elements(state, elements);
}

std::string reduction(const std::string& dimensions, const std::string& body) {
  return "HloModule m\nr { a = f32[] parameter(0)\n b = f32[] parameter(1)\n" +
         body + "}\nENTRY e { x = f32[1000,1000] parameter(0)\n" +
         " i = f32[] parameter(1)\n ROOT y = reduce(x, i), dimensions={" +
         dimensions + "}, to_apply=r }";
}

void reduce(benchmark::State& state, const char* dimensions, const char* body) {
  const Shape shape = Shape::array(ElementType::kF32, {kSide, kSide});
  run(state, reduction(dimensions, body),
      {numbers(shape), Literal(Shape::scalar(ElementType::kF32))},
      kSide * kSide);
}

void plain_rows(benchmark::State& state) {
  const Literal operand =
      numbers(Shape::array(ElementType::kF32, {kSide, kSide}));
  const float* x = operand.data<float>().data();
  std::vector<float> result(kSide);
  for (auto _ : state) {
    for (int64_t i = 0; i < kSide; ++i) {
      double sum = 0;
      for (int64_t k = 0; k < kSide; ++k) {
        sum += static_cast<double>(x[i * kSide + k]);
      }
      result[static_cast<size_t>(i)] = static_cast<float>(sum);
    }
    benchmark::DoNotOptimize(result.data());
  }
  count_elements(state, kSide * kSide);
}

void pool(benchmark::State& state, const char* op) {
  const Shape shape = Shape::array(ElementType::kF32, {4, 64, 64, 64});
  run(state,
      std::string("HloModule m\nr { a = f32[] parameter(0)\n") +
          "b = f32[] parameter(1)\n ROOT c = f32[] " + op + "(a, b) }\n" +
          "ENTRY e { x = f32[4,64,64,64] parameter(0)\n i = f32[] "
          "parameter(1)\n ROOT y = reduce-window(x, i), window={size=1x3x3x1 "
          "stride=1x2x2x1 pad=0_0x1_1x1_1x0_0}, to_apply=r }",
      {numbers(shape), Literal(Shape::scalar(ElementType::kF32))},
      4 * 32 * 32 * 64 * 9);
}

/// A million elements, by a comparator.
void sort(benchmark::State& state, const char* body) {
  const Shape shape = Shape::array(ElementType::kF32, {kSide * kSide});
  run(state,
      std::string("HloModule m\nless { a = f32[] parameter(0)\n") +
          "b = f32[] parameter(1)\n" + body +
          "}\nENTRY e { x = f32[1000000] parameter(0)\n ROOT y = sort(x), "
          "dimensions={0}, to_apply=less }",
      {numbers(shape)}, kSide * kSide);
}

void scatter_add(benchmark::State& state) {
  const Shape shape = Shape::array(ElementType::kF32, {kSide * kSide});
  Literal indices(Shape::array(ElementType::kS32, {kSide * kSide, 1}));
  uint32_t next = 0;
  for (int32_t& index : indices.mutable_data<int32_t>()) {
    index = static_cast<int32_t>((next += 7919) % 500000);
  }
  run(state,
      "HloModule m\nr { a = f32[] parameter(0)\nb = f32[] parameter(1)\n "
      "ROOT c = f32[] add(a, b) }\nENTRY e { x = f32[1000000] parameter(0)\n"
      "i = s32[1000000,1] parameter(1)\nu = f32[1000000] parameter(2)\n ROOT "
      "y = scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, "
      "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=r }",
      {numbers(shape), indices, numbers(shape)}, kSide * kSide);
}

constexpr const char* kAdd = "ROOT c = f32[] add(a, b)\n";
constexpr const char* kMaximum = "ROOT c = f32[] maximum(a, b)\n";
constexpr const char* kBody =
    "c = f32[] multiply(a, b)\n d = f32[] subtract(a, b)\n"
    " e = f32[] maximum(c, d)\n f = f32[] add(e, b)\n"
    " ROOT g = f32[] multiply(f, d)\n";

BENCHMARK(plain_rows)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reduce, add_rows, "1", kAdd)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reduce, add_columns, "0", kAdd)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reduce, add_all, "0,1", kAdd)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reduce, maximum_rows, "1", kMaximum)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reduce, body_rows, "1", kBody)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reduce, body_columns, "0", kBody)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reduce, body_all, "0,1", kBody)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pool, add, "add")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pool, maximum, "maximum")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sort, plain, "ROOT r = pred[] compare(a, b), direction=LT\n")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sort, by_magnitude,
                  "c = f32[] abs(a)\n d = f32[] abs(b)\n"
                  " ROOT r = pred[] compare(c, d), direction=LT\n")
    ->Unit(benchmark::kMillisecond);
BENCHMARK(scatter_add)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hlo

BENCHMARK_MAIN();
