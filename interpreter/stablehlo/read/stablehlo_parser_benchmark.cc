#include <benchmark/benchmark.h>

#include <string>
#include <string_view>

#include "interpreter/stablehlo/read/parse.h"
#include "interpreter/testing/timing.h"

// The speed of reading StableHLO text, beside what any reader does: a pass
// over the characters that adds them up. A constant is one line.

namespace hlo::stablehlo {
namespace {

using timing::Baseline;

std::string constant(const std::string& elements, int64_t count) {
  return "func.func @main() {\n  %0 = stablehlo.constant dense<" + elements +
         "> : tensor<" + std::to_string(count) + "xf32>\n  return\n}\n";
}

/// A constant of `count` numbers as hexadecimal digits.
std::string make_blob(int64_t count) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text = "\"0x";
  for (int64_t i = 0; i < 8 * count; ++i) {
    text += kDigits[static_cast<size_t>((i * i + i / 7) % 10)];
  }
  return constant(text + "\"", count);
}

std::string make_list(int64_t count) {
  std::string text = "[";
  for (int64_t i = 0; i < count; ++i) {
    text +=
        (i > 0 ? ", " : "") + std::to_string(0.001 * static_cast<double>(i));
  }
  return constant(text + "]", count);
}

/// Operations as JAX writes them, in several lines or all in one.
std::string make_operations(int64_t count, char separator) {
  std::string text =
      "module @jit_step {\n  func.func public @main(%arg0: "
      "tensor<32x128xf32>) -> tensor<32x128xf32> {";
  std::string before = "%arg0";
  for (int64_t i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    text += separator;
    text += "%c" + n + " = stablehlo.constant dense<1.000000e+00> : ";
    text += "tensor<f32> %b" + n + " = stablehlo.broadcast_in_dim %c" + n;
    text += ", dims = [] : (tensor<f32>) -> tensor<32x128xf32>";
    text += separator;
    text += "%a" + n + " = stablehlo.add " + before;
    text += ", %b" + n + " : tensor<32x128xf32> ";
    before = "%a" + n;
  }
  return text + "return " + before + " : tensor<32x128xf32>\n}\n}\n";
}

Baseline adding(const std::string& text) {
  return timing::baseline("adding_characters", [&] {
    unsigned sum = 0;
    for (const char c : text) sum += static_cast<unsigned char>(c);
    benchmark::DoNotOptimize(sum);
  });
}

void read(benchmark::State& state, const std::string& text) {
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  state.counters["MB"] = megabytes;
  timing::Row(state, [&] { benchmark::DoNotOptimize(parse(text)); })
      .rate("MB", megabytes)
      .against(adding(text));
}

void read_blob(benchmark::State& state) {
  read(state, make_blob(state.range(0)));
}

void read_list(benchmark::State& state) {
  read(state, make_list(state.range(0)));
}

void read_operations(benchmark::State& state) {
  read(state, make_operations(state.range(0), '\n'));
}

void read_one_line(benchmark::State& state) {
  read(state, make_operations(state.range(0), ' '));
}

// Twice the sizes take twice the time.
BENCHMARK(read_blob)->Arg(1 << 20)->Arg(1 << 21)->Unit(benchmark::kMillisecond);
BENCHMARK(read_list)->Arg(1 << 18)->Arg(1 << 19)->Unit(benchmark::kMillisecond);
BENCHMARK(read_operations)
    ->Arg(1 << 12)
    ->Arg(1 << 13)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(read_one_line)
    ->Arg(1 << 12)
    ->Arg(1 << 13)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hlo::stablehlo

BENCHMARK_MAIN();
