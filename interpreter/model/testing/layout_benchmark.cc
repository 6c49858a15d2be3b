#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

#include "interpreter/model/buffer.h"
#include "interpreter/model/literal.h"
#include "interpreter/testing/timing.h"

// Time per element of storing a literal in a layout and of loading it, beside
// a copy of its bytes.

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

/// Elements that have been written: untouched memory is one page of zeros.
hlo::Literal filled(const Shape& shape) {
  hlo::Literal literal(shape);
  size_t i = 0;
  for (std::byte& byte : literal.mutable_bytes()) {
    byte = static_cast<std::byte>(++i % 13);
  }
  return literal;
}

/// A copy of the literal's bytes into a buffer that exists already.
hlo::timing::Baseline copy(const hlo::Literal& from) {
  std::vector<std::byte> to(from.bytes().size());
  return hlo::timing::baseline("memcpy", [&] {
    std::memcpy(to.data(), from.bytes().data(), to.size());
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  });
}

template <typename Body>
void run(benchmark::State& state, const hlo::Literal& literal, Body body) {
  state.SetLabel(to_string(literal.shape()));
  hlo::timing::Row(state, body)
      .per("element", literal.element_count())
      .against(copy(literal));
}

void bm_store(benchmark::State& state) {
  const Shape shape = shape_of(state.range(0));
  const hlo::Literal literal = filled(shape);
  run(state, literal, [&] { benchmark::DoNotOptimize(store(literal, shape)); });
}

void bm_load(benchmark::State& state) {
  const Shape shape = shape_of(state.range(0));
  const hlo::Literal literal = filled(shape);
  const hlo::Buffer buffer = store(literal, shape);
  run(state, literal, [&] { benchmark::DoNotOptimize(load(buffer)); });
}

}  // namespace

BENCHMARK(bm_store)->DenseRange(0, 5)->Unit(benchmark::kMillisecond);
BENCHMARK(bm_load)->DenseRange(0, 5)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
