#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/rules/known_reducer.h"
#include "interpreter/testing/timing.h"
#include "interpreter/verify/verify.h"

// Time per element of folds, at a million elements, beside the loop that one
// would write: sums in double that round at every step, one row after the
// other, and std::stable_sort.

namespace hlo {
namespace {

using timing::Baseline;

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

Literal zero() { return Literal(Shape::scalar(ElementType::kF32)); }

/// Runs the root of a program on `operands`.
timing::Row run(benchmark::State& state, const std::string& text,
                const std::vector<Literal>& operands, int64_t elements) {
  const Module module = verified_module(text);
  Evaluator evaluator(kReference, {.max_work = Budget::kEndless});
  const auto body = [&] {
    benchmark::DoNotOptimize(
        evaluate_instruction(*module.entry->root, operands, evaluator));
  };
  return timing::Row(state, body).per("element", elements);
}

/// body(result, operand), the result being n elements.
template <typename Body>
Baseline loop(const std::string& name, const Literal& operand, int64_t n,
              Body body) {
  std::vector<float> result(static_cast<size_t>(n));
  return timing::baseline(name, [&] {
    body(result.data(), operand.data<float>().data());
    benchmark::DoNotOptimize(result.data());
    benchmark::ClobberMemory();
  });
}

// Reducers in HLO and in C++.
struct Add {
  using Sum = double;
  static constexpr const char* kText = "ROOT c = f32[] add(a, b)\n";

  static double combine(double a, double b) { return a + b; }
};

struct Maximum {
  using Sum = float;
  static constexpr const char* kText = "ROOT c = f32[] maximum(a, b)\n";

  static float combine(float a, float b) { return a < b ? b : a; }
};

struct Body {
  using Sum = float;
  static constexpr const char* kText =
      "c = f32[] multiply(a, b)\n d = f32[] subtract(a, b)\n"
      " e = f32[] maximum(c, d)\n f = f32[] add(e, b)\n"
      " ROOT g = f32[] multiply(f, d)\n";

  static float combine(float a, float b) {
    const float d = a - b;
    return (std::max(a * b, d) + b) * d;
  }
};

std::string reduction(const std::string& dimensions, const std::string& body) {
  return "HloModule m\nr { a = f32[] parameter(0)\n b = f32[] parameter(1)\n" +
         body + "}\nENTRY e { x = f32[1000,1000] parameter(0)\n" +
         " i = f32[] parameter(1)\n ROOT y = reduce(x, i), dimensions={" +
         dimensions + "}, to_apply=r }";
}

/// Over runs of `n` elements that follow each other.
template <typename Reducer>
Baseline loop_over_rows(const Literal& operand, int64_t n) {
  return loop("plain_loop", operand, kSide * kSide / n,
              [=](float* to, const float* x) {
                for (int64_t i = 0; i < kSide * kSide; i += n) {
                  typename Reducer::Sum sum = 0;
                  for (int64_t k = i; k < i + n; ++k) {
                    sum = Reducer::combine(sum, x[k]);
                  }
                  *to++ = static_cast<float>(sum);
                }
              });
}

template <typename Reducer>
Baseline loop_over_columns(const Literal& operand) {
  std::vector<typename Reducer::Sum> sums;
  return loop("plain_loop", operand, kSide, [&](float* to, const float* x) {
    sums.assign(kSide, 0);
    for (int64_t i = 0; i < kSide; ++i) {
      for (size_t k = 0; k < kSide; ++k) {
        sums[k] = Reducer::combine(sums[k], *x++);
      }
    }
    for (const auto sum : sums) *to++ = static_cast<float>(sum);
  });
}

template <typename Reducer>
void reduce(benchmark::State& state, const std::string& dimensions,
            Reducer /*of*/) {
  const Literal x = numbers(Shape::array(ElementType::kF32, {kSide, kSide}));
  run(state, reduction(dimensions, Reducer::kText), {x, zero()}, kSide * kSide)
      .against(dimensions == "0"
                   ? loop_over_columns<Reducer>(x)
                   : loop_over_rows<Reducer>(
                         x, dimensions == "1" ? kSide : kSide * kSide))
      .against_stablehlo(std::is_same_v<Reducer, Add> ? 1175 : 0);
}

constexpr int64_t kImage = 64;

/// Element (i, k) of the result: a window of 3 x 3 in an image with channels.
template <typename Reducer>
float pooled(const float* image, int64_t i, int64_t k, int64_t channel) {
  typename Reducer::Sum sum = 0;
  for (int64_t y = std::max<int64_t>(2 * i - 1, 0); y <= 2 * i + 1; ++y) {
    for (int64_t x = std::max<int64_t>(2 * k - 1, 0); x <= 2 * k + 1; ++x) {
      sum = Reducer::combine(sum, image[(y * kImage + x) * kImage + channel]);
    }
  }
  return static_cast<float>(sum);
}

template <typename Reducer>
void pool(benchmark::State& state) {
  const Literal x =
      numbers(Shape::array(ElementType::kF32, {4, kImage, kImage, kImage}));
  const int64_t half = kImage / 2;
  const int64_t results = 4 * half * half * kImage;
  const auto plain = [](float* to, const float* from) {
    for (int64_t n = 0; n < 4 * half * half; ++n) {
      const float* image = from + n / (half * half) * kImage * kImage * kImage;
      for (int64_t channel = 0; channel < kImage; ++channel) {
        *to++ = pooled<Reducer>(image, n / half % half, n % half, channel);
      }
    }
  };
  run(state,
      std::string("HloModule m\nr { a = f32[] parameter(0)\n") +
          "b = f32[] parameter(1)\n" + Reducer::kText +
          "}\nENTRY e { x = f32[4,64,64,64] parameter(0)\n i = f32[] "
          "parameter(1)\n ROOT y = reduce-window(x, i), window={size=1x3x3x1 "
          "stride=1x2x2x1 pad=0_0x1_1x1_1x0_0}, to_apply=r }",
      {x, zero()}, results * 9)
      .against(loop("plain_loop", x, results, plain));
}

/// A million elements, by a comparator.
template <typename Less>
void sort(benchmark::State& state, const char* body, Less less) {
  const Literal x = numbers(Shape::array(ElementType::kF32, {kSide * kSide}));
  const auto plain = [less](float* to, const float* from) {
    std::copy_n(from, kSide * kSide, to);
    std::stable_sort(to, to + kSide * kSide, less);
  };
  run(state,
      std::string("HloModule m\nless { a = f32[] parameter(0)\n") +
          "b = f32[] parameter(1)\n" + body +
          "}\nENTRY e { x = f32[1000000] parameter(0)\n ROOT y = sort(x), "
          "dimensions={0}, to_apply=less }",
      {x}, kSide * kSide)
      .against(loop("stable_sort", x, kSide * kSide, plain))
      .against_stablehlo(8315);
}

void scatter_add(benchmark::State& state) {
  const Literal x = numbers(Shape::array(ElementType::kF32, {kSide * kSide}));
  Literal indices(Shape::array(ElementType::kS32, {kSide * kSide, 1}));
  uint32_t next = 0;
  for (int32_t& index : indices.mutable_data<int32_t>()) {
    index = static_cast<int32_t>((next += 7919) % 500000);
  }
  const int32_t* index = indices.data<int32_t>().data();
  const auto plain = [index](float* to, const float* from) {
    std::copy_n(from, kSide * kSide, to);
    for (int64_t i = 0; i < kSide * kSide; ++i) to[index[i]] += from[i];
  };
  run(state,
      "HloModule m\nr { a = f32[] parameter(0)\nb = f32[] parameter(1)\n "
      "ROOT c = f32[] add(a, b) }\nENTRY e { x = f32[1000000] parameter(0)\n"
      "i = s32[1000000,1] parameter(1)\nu = f32[1000000] parameter(2)\n ROOT "
      "y = scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, "
      "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=r }",
      {x, indices, x}, kSide * kSide)
      .against(loop("plain_loop", x, kSide * kSide, plain));
}

BENCHMARK_CAPTURE(reduce, add_rows, "1", Add{})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reduce, add_columns, "0", Add{})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reduce, add_all, "0,1", Add{})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reduce, maximum_rows, "1", Maximum{})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reduce, body_rows, "1", Body{})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reduce, body_columns, "0", Body{})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reduce, body_all, "0,1", Body{})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(pool<Add>)->Unit(benchmark::kMillisecond);
BENCHMARK(pool<Maximum>)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sort, plain, "ROOT r = pred[] compare(a, b), direction=LT\n",
                  [](float a, float b) { return a < b; })
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sort, by_magnitude,
                  "c = f32[] abs(a)\n d = f32[] abs(b)\n"
                  " ROOT r = pred[] compare(c, d), direction=LT\n",
                  [](float a, float b) { return std::abs(a) < std::abs(b); })
    ->Unit(benchmark::kMillisecond);
BENCHMARK(scatter_add)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hlo

BENCHMARK_MAIN();
