#include <benchmark/benchmark.h>

#include "interpreter/model/literal.h"

namespace {

using hlo::ElementType;
using hlo::Layout;
using hlo::Shape;

/// About 1e6 elements in a layout.
Shape shape_of(int64_t number) {
  const bool packed = number == 4;
  Shape shape = Shape::array(packed ? ElementType::kS4 : ElementType::kF32,
                             {8, 127, 1023});
  Layout layout = hlo::default_layout(3);
  switch (number) {
    case 1:
      layout.minor_to_major = {0, 1, 2};
      break;
    case 2:
      layout.tiles = {{{8, 128}}};
      break;
    case 3:
      layout.tiles = {{{8, 128}}, {{2, 1}}};
      break;
    case 4:
      layout.element_size_in_bits = 4;
      break;
    case 5:
      layout.tiles = {{{hlo::Tile::kCombine, hlo::Tile::kCombine, 128}}};
      break;
    default:
      break;
  }
  shape.layout = layout;
  return shape;
}

void per_element(benchmark::State& state, const Shape& shape) {
  state.SetLabel(to_string(shape));
  const auto count = static_cast<double>(shape.element_count());
  state.counters["ns/element"] = benchmark::Counter(
      count * 1e-9, benchmark::Counter::kIsIterationInvariantRate |
                        benchmark::Counter::kInvert);
}

void bm_store(benchmark::State& state) {
  const Shape shape = shape_of(state.range(0));
  const hlo::Literal literal(shape);
  for ([[maybe_unused]] auto step : state) {
    benchmark::DoNotOptimize(store(literal, shape));
  }
  per_element(state, shape);
}

void bm_load(benchmark::State& state) {
  const Shape shape = shape_of(state.range(0));
  const hlo::Buffer buffer = store(hlo::Literal(shape), shape);
  for ([[maybe_unused]] auto step : state) {
    benchmark::DoNotOptimize(load(buffer));
  }
  per_element(state, shape);
}

}  // namespace

BENCHMARK(bm_store)->DenseRange(0, 5)->Unit(benchmark::kMillisecond);
BENCHMARK(bm_load)->DenseRange(0, 5)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
