#include <benchmark/benchmark.h>

#include <complex>
#include <cstring>
#include <memory>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/plans/movement/movement.h"
#include "interpreter/testing/timing.h"

// Time per element of operations that move data, at a million elements, beside
// a copy of as many bytes and the loop that one would write, both in arrays
// that exist already.

namespace hlo {
namespace {

using timing::Baseline;

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

timing::Row run(benchmark::State& state, const Program& program,
                const std::vector<Literal>& operands) {
  Evaluator evaluator(kReference, {.max_work = Budget::kEndless});
  const auto body = [&] {
    benchmark::DoNotOptimize(
        evaluate_instruction(program.instruction, operands, evaluator));
  };
  return timing::Row(state, body)
      .per("element", program.instruction.shape.element_count());
}

/// Elements that have been written: untouched memory is one page of zeros.
Literal filled(const Shape& shape) {
  Literal literal(shape);
  size_t i = 0;
  for (std::byte& byte : literal.mutable_bytes()) {
    byte = static_cast<std::byte>(++i % 251);
  }
  return literal;
}

/// Fills an array of shape's storage, again and again.
template <typename Body>
Baseline fill(const std::string& name, const Shape& shape, Body body) {
  Literal to(shape);
  return timing::baseline(name, [&] {
    body(to.mutable_bytes().data());
    benchmark::DoNotOptimize(to.mutable_bytes().data());
    benchmark::ClobberMemory();
  });
}

Baseline copy(const Shape& shape) {
  const Literal from = filled(shape);
  const auto bytes = from.bytes();
  return fill("memcpy", shape, [&](std::byte* to) {
    std::memcpy(to, bytes.data(), bytes.size());
  });
}

/// body(result, operand) on elements of type T.
template <typename T, typename Body>
Baseline loop(const Shape& shape, const Literal& operand, Body body) {
  const T* from = operand.data<T>().data();
  return fill("plain_loop", shape,
              [&](std::byte* to) { body(reinterpret_cast<T*>(to), from); });
}

template <ElementType type, typename T>
void transpose(benchmark::State& state) {
  const Shape square = Shape::array(type, {kSide, kSide});
  const Literal operand = filled(square);
  const auto plain = [](T* to, const T* from) {
    for (int64_t i = 0; i < kSide * kSide; ++i) {
      to[i] = from[i % kSide * kSide + i / kSide];
    }
  };
  run(state, {"transpose", square, {square}, {{"dimensions", Ints{1, 0}}}},
      {operand})
      .against(copy(square))
      .against(loop<T>(square, operand, plain))
      .against_stablehlo(type == ElementType::kF32 ? 138 : 0);
}

/// Transposes 8 matrices of 1250 x 100 elements.
void transpose_8_matrices(float* result, const float* x) {
  for (const float* end = x + 1'000'000; x != end; x += 125'000) {
    for (int64_t i = 0; i < 100; ++i) {
      for (int64_t k = 0; k < 1250; ++k) *result++ = x[k * 100 + i];
    }
  }
}

void transpose_4d(benchmark::State& state) {
  const Shape from = Shape::array(ElementType::kF32, {8, 125, 10, 100});
  const Shape to = Shape::array(ElementType::kF32, {8, 100, 125, 10});
  const Literal operand = filled(from);
  run(state, {"transpose", to, {from}, {{"dimensions", Ints{0, 3, 1, 2}}}},
      {operand})
      .against(copy(to))
      .against(loop<float>(to, operand, transpose_8_matrices))
      .against_stablehlo(138);
}

void broadcast(benchmark::State& state) {
  const Shape line = Shape::array(ElementType::kF32, {kSide});
  const Shape square = Shape::array(ElementType::kF32, {kSide, kSide});
  const Literal operand = filled(line);
  const bool rows = state.range(0) == 1;
  const auto plain = [rows](float* to, const float* from) {
    for (int64_t i = 0; i < kSide; ++i) {
      for (int64_t k = 0; k < kSide; ++k) {
        to[i * kSide + k] = from[rows ? k : i];
      }
    }
  };
  run(state,
      {"broadcast", square, {line}, {{"dimensions", Ints{state.range(0)}}}},
      {operand})
      .against(copy(square))
      .against(loop<float>(square, operand, plain))
      .against_stablehlo(139);
}

void slice_every_other(benchmark::State& state) {
  const Shape from = Shape::array(ElementType::kF32, {kSide, 2 * kSide});
  const Shape to = Shape::array(ElementType::kF32, {kSide, kSide});
  const Literal operand = filled(from);
  const auto plain = [](float* result, const float* x) {
    for (int64_t i = 0; i < kSide * kSide; ++i) result[i] = x[2 * i];
  };
  run(state,
      {"slice",
       to,
       {from},
       {{"slice", SliceConfig{{{0, kSide, 1}, {0, 2 * kSide, 2}}}}}},
      {operand})
      .against(copy(to))
      .against(loop<float>(to, operand, plain));
}

/// The rows that a gather fetches: all, in an order that jumps.
Literal row_numbers(int64_t n) {
  Literal starts(Shape::array(ElementType::kS32, {n}));
  int64_t row = 0;
  for (int32_t& start : starts.mutable_data<int32_t>()) {
    start = static_cast<int32_t>(row = (row + 7919) % kSide);
  }
  return starts;
}

void gather(benchmark::State& state) {
  const int64_t slice = state.range(0);
  const int64_t n = kSide * kSide / slice;
  const Literal table = filled(Shape::array(ElementType::kF32, {kSide, slice}));
  const Literal rows = row_numbers(n);
  const Shape result = Shape::array(ElementType::kF32, {n, slice});
  const int32_t* row = rows.data<int32_t>().data();
  const auto plain = [=](float* to, const float* from) {
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t k = 0; k < slice; ++k) {
        to[i * slice + k] = from[row[i] * slice + k];
      }
    }
  };
  run(state,
      {"gather",
       result,
       {table.shape(), rows.shape()},
       {{"offset_dims", Ints{1}},
        {"collapsed_slice_dims", Ints{0}},
        {"start_index_map", Ints{0}},
        {"index_vector_dim", int64_t{1}},
        {"slice_sizes", Ints{1, slice}}}},
      {table, rows})
      .against(copy(result))
      .against(loop<float>(result, table, plain))
      .against_stablehlo(837);
}

void iota(benchmark::State& state) {
  const Shape shape = Shape::array(ElementType::kF32, {kSide * kSide});
  run(state, {"iota", shape, {}, {{"iota_dimension", int64_t{0}}}}, {})
      .against(copy(shape))
      .against(loop<float>(shape, Literal(shape), [](float* to, const float*) {
        for (int64_t i = 0; i < kSide * kSide; ++i) {
          to[i] = static_cast<float>(i);
        }
      }));
}

BENCHMARK(transpose<ElementType::kU8, uint8_t>);
BENCHMARK(transpose<ElementType::kBF16, uint16_t>);
BENCHMARK(transpose<ElementType::kF32, float>);
BENCHMARK(transpose<ElementType::kF64, double>);
BENCHMARK(transpose<ElementType::kC128, std::complex<double>>);
BENCHMARK(transpose_4d);
BENCHMARK(broadcast)->Arg(0)->Arg(1);
BENCHMARK(slice_every_other);
BENCHMARK(gather)->Arg(1)->Arg(8)->Arg(1000);
BENCHMARK(iota);

}  // namespace
}  // namespace hlo

BENCHMARK_MAIN();
