#include <benchmark/benchmark.h>

#include "interpreter/evaluate.h"
#include "interpreter/movement.h"

// Time per element of operations that move data, at a million elements.

namespace hlo {
namespace {

constexpr int64_t kSide = 1000;

/// An instruction with operands of its own.
struct Program {
  std::vector<std::unique_ptr<Instruction>> operands;
  Instruction instruction;

  Program(std::string_view op, Shape shape, const std::vector<Shape>& inputs,
          Attributes attributes) {
    for (const Shape& input : inputs) {
      operands.push_back(std::make_unique<Instruction>());
      operands.back()->shape = input;
      instruction.operands.push_back(operands.back().get());
    }
    instruction.op = find_op(op);
    instruction.shape = std::move(shape);
    instruction.attributes = std::move(attributes);
  }
};

void run(benchmark::State& state, const Program& program,
         const std::vector<Literal>& operands) {
  Evaluator evaluator;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        evaluate_instruction(program.instruction, operands, evaluator));
  }
  state.counters["time/element"] = benchmark::Counter(
      static_cast<double>(program.instruction.shape.element_count()),
      benchmark::Counter::kIsIterationInvariantRate |
          benchmark::Counter::kInvert);
}

template <ElementType type>
void transpose(benchmark::State& state) {
  const Shape square = Shape::array(type, {kSide, kSide});
  run(state, {"transpose", square, {square}, {{"dimensions", Ints{1, 0}}}},
      {Literal(square)});
}

void transpose_4d(benchmark::State& state) {
  const Shape from = Shape::array(ElementType::kF32, {8, 125, 10, 100});
  const Shape to = Shape::array(ElementType::kF32, {8, 100, 125, 10});
  run(state, {"transpose", to, {from}, {{"dimensions", Ints{0, 3, 1, 2}}}},
      {Literal(from)});
}

void broadcast(benchmark::State& state) {
  const Shape line = Shape::array(ElementType::kF32, {kSide});
  const Shape square = Shape::array(ElementType::kF32, {kSide, kSide});
  run(state,
      {"broadcast", square, {line}, {{"dimensions", Ints{state.range(0)}}}},
      {Literal(line)});
}

void slice_every_other(benchmark::State& state) {
  const Shape from = Shape::array(ElementType::kF32, {kSide, 2 * kSide});
  const Shape to = Shape::array(ElementType::kF32, {kSide, kSide});
  run(state,
      {"slice",
       to,
       {from},
       {{"slice", SliceConfig{{{0, kSide, 1}, {0, 2 * kSide, 2}}}}}},
      {Literal(from)});
}

void gather(benchmark::State& state) {
  const int64_t slice = state.range(0);
  const int64_t n = kSide * kSide / slice;
  const Shape table = Shape::array(ElementType::kF32, {kSide, slice});
  const Shape indices = Shape::array(ElementType::kS32, {n});
  Literal starts(indices);
  for (int64_t i = 0; i < n; ++i) {
    const auto row = static_cast<uint64_t>(i * 7919 % kSide);
    starts.set(i, {ElementType::kS32, {row}});
  }
  run(state,
      {"gather",
       Shape::array(ElementType::kF32, {n, slice}),
       {table, indices},
       {{"offset_dims", Ints{1}},
        {"collapsed_slice_dims", Ints{0}},
        {"start_index_map", Ints{0}},
        {"index_vector_dim", int64_t{1}},
        {"slice_sizes", Ints{1, slice}}}},
      {Literal(table), starts});
}

void iota(benchmark::State& state) {
  const Shape shape = Shape::array(ElementType::kF32, {kSide * kSide});
  run(state, {"iota", shape, {}, {{"iota_dimension", int64_t{0}}}}, {});
}

BENCHMARK(transpose<ElementType::kU8>);
BENCHMARK(transpose<ElementType::kBF16>);
BENCHMARK(transpose<ElementType::kF32>);
BENCHMARK(transpose<ElementType::kF64>);
BENCHMARK(transpose<ElementType::kC128>);
BENCHMARK(transpose_4d);
BENCHMARK(broadcast)->Arg(0)->Arg(1);
BENCHMARK(slice_every_other);
BENCHMARK(gather)->Arg(1)->Arg(8)->Arg(1000);
BENCHMARK(iota);

}  // namespace
}  // namespace hlo

BENCHMARK_MAIN();
