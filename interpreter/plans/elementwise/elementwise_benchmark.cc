#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/plans/region/compile_program.h"
#include "interpreter/plans/region/work_meter.h"
#include "interpreter/testing/timing.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

// Time per element of element-wise operations, at a million elements, and of
// compiled regions. The plain loop is what one would write for the host, in
// arrays that exist already and with the functions of its libm; a type that
// the host lacks is compared with the loop in f32.

namespace hlo {
namespace {

using timing::Baseline;

constexpr int64_t kElements = 1'000'000;

/// A literal of `type` with small numbers in it.
Literal numbers(const std::string& type, const Shape& shape) {
  Literal literal(shape);
  const std::string text = is_complex(shape.element_type)
                               ? "{(1, 2), (3, 4), (5, 6), (7, 8)}"
                               : "{1, 2, 3, 5}";
  const Literal some = text::parse_literal_with_shape(type + "[4] " + text);
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    literal.set(i, some.at(i % 4));
  }
  return literal;
}

/// What a row runs: `op` on operands of `type`.
struct Operation {
  std::string op;
  int operands = 2;
  std::string type;
  std::string result_type;
  std::string attributes = {};
  double stablehlo = 0;
};

Module make_module(const Operation& o) {
  const std::string dims = fmt::format("[{}]", kElements);
  std::string source = "HloModule m\nENTRY main {\n";
  std::string names;
  for (int k = 0; k < o.operands; ++k) {
    source += fmt::format("p{} = {}{} parameter({})\n", k, o.type, dims, k);
    names += fmt::format("{}p{}", k > 0 ? ", " : "", k);
  }
  source += fmt::format("ROOT r = {}{} {}({}){}\n}}", o.result_type, dims, o.op,
                        names, o.attributes);
  return verified_module(source);
}

void run(benchmark::State& state, const Operation& operation,
         const Baseline& baseline) {
  const Module module = make_module(operation);
  const Instruction& root = *module.entry->root;
  std::vector<Literal> inputs;
  inputs.reserve(static_cast<size_t>(operation.operands));
  for (int k = 0; k < operation.operands; ++k) {
    inputs.push_back(numbers(operation.type, root.operand_shape(0)));
  }
  Evaluator evaluator(kReference, {.max_work = Budget::kEndless});
  timing::Row(
      state,
      [&] {
        benchmark::DoNotOptimize(evaluate_instruction(root, inputs, evaluator));
      })
      .per("element", kElements)
      .against(baseline)
      .against_stablehlo(operation.stablehlo);
}

template <typename T>
std::vector<T> native_numbers() {
  const std::vector<T> some = {T(1), T(2), T(3), T(5)};
  std::vector<T> values(kElements);
  for (size_t i = 0; i < values.size(); ++i) values[i] = some[i % 4];
  return values;
}

template <typename T, typename Rule>
Baseline loop(Rule rule, const std::string& name = "plain_loop") {
  const std::vector<T> x = native_numbers<T>();
  if constexpr (std::invocable<Rule, T, T>) {
    const std::vector<T> y = x;
    std::vector<decltype(rule(x[0], y[0]))> result(x.size());
    return timing::baseline(name, [&] {
      for (size_t i = 0; i < x.size(); ++i) result[i] = rule(x[i], y[i]);
      benchmark::DoNotOptimize(result.data());
      benchmark::ClobberMemory();
    });
  } else {
    std::vector<decltype(rule(x[0]))> result(x.size());
    return timing::baseline(name, [&] {
      for (size_t i = 0; i < x.size(); ++i) result[i] = rule(x[i]);
      benchmark::DoNotOptimize(result.data());
      benchmark::ClobberMemory();
    });
  }
}

// Lambdas, since the compiler does not see into a function behind a pointer.
constexpr auto kFromBf16 = [](uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
};
/// Rounded to the nearest even; no NaN occurs.
constexpr auto kToBf16 = [](float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  return static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
};
constexpr auto kLess = [](float x, float y) -> uint8_t { return x < y; };
constexpr auto kLarger = [](float x, float y) { return x < y ? y : x; };

template <typename Rule>
Baseline bf16_loop(Rule rule) {
  return loop<uint16_t>([rule](uint16_t x, uint16_t y) {
    return kToBf16(rule(kFromBf16(x), kFromBf16(y)));
  });
}

/// To another type.
template <typename From, typename To>
Baseline cast_loop() {
  return loop<From>([](From x) { return static_cast<To>(x); });
}

constexpr std::string_view kRegion = R"(HloModule m
region {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  two = f32[] constant(2)
  product = f32[] multiply(x, two)
  sum = f32[] add(product, y)
  less = pred[] compare(sum, x), direction=LT
  ROOT r = f32[] select(less, x, sum)
}
ENTRY main {
  x = f32[8] parameter(0)
  ROOT r = f32[8] map(x, x), dimensions={0}, to_apply=region
})";

/// A region of four instructions on range(0) elements at a time.
void region(benchmark::State& state) {
  const Module module = verified_module(kRegion);
  const auto program = compile_program(*module.computations[0]);
  const int64_t n = state.range(0);
  const int64_t times = 100'000 / n;
  Evaluator evaluator(kReference, {.max_work = Budget::kEndless});
  WorkMeter meter(evaluator);
  Program::Scratch scratch(*program, n, meter, /*counts=*/false);
  std::vector<float> x(static_cast<size_t>(n), 1.5F);
  std::vector<float> result(x.size());
  const std::byte* const inputs[] = {
      reinterpret_cast<const std::byte*>(x.data()),
      reinterpret_cast<const std::byte*>(x.data())};
  std::byte* const outputs[] = {reinterpret_cast<std::byte*>(result.data())};
  const auto program_runs = [&] {
    for (int64_t i = 0; i < times; ++i) {
      program->run(scratch, n, inputs, outputs);
      benchmark::ClobberMemory();
    }
  };
  const auto loop_runs = [&] {
    for (int64_t i = 0; i < times; ++i) {
      for (size_t k = 0; k < x.size(); ++k) {
        const float sum = x[k] * 2 + x[k];
        result[k] = sum < x[k] ? x[k] : sum;
      }
      benchmark::ClobberMemory();
    }
  };
  timing::Row(state, program_runs)
      .per("element", n * times)
      .against(timing::baseline("plain_loop", loop_runs));
}

using Complex = std::complex<float>;

BENCHMARK_CAPTURE(run, add_f32, {"add", 2, "f32", "f32", "", 302},
                  loop<float>(std::plus<>()));
BENCHMARK_CAPTURE(run, add_f64, {"add", 2, "f64", "f64", "", 315},
                  loop<double>(std::plus<>()));
BENCHMARK_CAPTURE(run, add_s32, {"add", 2, "s32", "s32", "", 426},
                  loop<uint32_t>(std::plus<>()));
BENCHMARK_CAPTURE(run, add_bf16, {"add", 2, "bf16", "bf16", "", 280},
                  bf16_loop(std::plus<>()));
BENCHMARK_CAPTURE(run, add_f8e4m3fn, {"add", 2, "f8e4m3fn", "f8e4m3fn"},
                  loop<float>(std::plus<>(), "f32_loop"));
BENCHMARK_CAPTURE(run, add_c64, {"add", 2, "c64", "c64"},
                  loop<Complex>(std::plus<>()));
BENCHMARK_CAPTURE(run, multiply_f32, {"multiply", 2, "f32", "f32", "", 302},
                  loop<float>(std::multiplies<>()));
BENCHMARK_CAPTURE(run, multiply_bf16, {"multiply", 2, "bf16", "bf16"},
                  bf16_loop(std::multiplies<>()));
BENCHMARK_CAPTURE(run, multiply_c64, {"multiply", 2, "c64", "c64", "", 868},
                  loop<Complex>(std::multiplies<>()));
BENCHMARK_CAPTURE(run, divide_f32, {"divide", 2, "f32", "f32", "", 431},
                  loop<float>(std::divides<>()));
BENCHMARK_CAPTURE(run, divide_s32, {"divide", 2, "s32", "s32"},
                  loop<int32_t>(std::divides<>()));
BENCHMARK_CAPTURE(run, maximum_f32, {"maximum", 2, "f32", "f32"},
                  loop<float>(kLarger));
BENCHMARK_CAPTURE(run, compare_f32,
                  {"compare", 2, "f32", "pred", ", direction=LT"},
                  loop<float>(kLess));
BENCHMARK_CAPTURE(run, negate_f32, {"negate", 1, "f32", "f32"},
                  loop<float>([](float x) { return -x; }));
BENCHMARK_CAPTURE(run, sqrt_f32, {"sqrt", 1, "f32", "f32"},
                  loop<float>([](float x) { return std::sqrt(x); }));
BENCHMARK_CAPTURE(run, exponential_f32,
                  {"exponential", 1, "f32", "f32", "", 263},
                  loop<float>([](float x) { return std::exp(x); }));
BENCHMARK_CAPTURE(run, tanh_f32, {"tanh", 1, "f32", "f32", "", 291},
                  loop<float>([](float x) { return std::tanh(x); }));
BENCHMARK_CAPTURE(run, convert_f32_bf16, {"convert", 1, "f32", "bf16", "", 229},
                  loop<float>(kToBf16));
BENCHMARK_CAPTURE(run, convert_bf16_f32, {"convert", 1, "bf16", "f32"},
                  loop<uint16_t>(kFromBf16));
BENCHMARK_CAPTURE(run, convert_f32_f16, {"convert", 1, "f32", "f16"},
                  loop<float>(kToBf16, "bf16_loop"));
BENCHMARK_CAPTURE(run, convert_f32_f64, {"convert", 1, "f32", "f64"},
                  (cast_loop<float, double>()));
BENCHMARK_CAPTURE(run, convert_f32_s32, {"convert", 1, "f32", "s32"},
                  (cast_loop<float, int32_t>()));
BENCHMARK_CAPTURE(run, convert_s32_f32, {"convert", 1, "s32", "f32"},
                  (cast_loop<int32_t, float>()));
BENCHMARK_CAPTURE(run, convert_f32_f8e4m3fn, {"convert", 1, "f32", "f8e4m3fn"},
                  loop<float>(kToBf16, "bf16_loop"));
BENCHMARK(region)->Arg(1)->Arg(64)->Arg(1000);

}  // namespace
}  // namespace hlo

BENCHMARK_MAIN();
