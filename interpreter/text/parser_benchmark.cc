#include <benchmark/benchmark.h>

#include <string>

#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify.h"

namespace hlo::text {
namespace {

constexpr int kComputations = 500;
constexpr int kSteps = 8;

std::string metadata(int line) {
  return ", metadata={op_type=\"add\" op_name=\"jit(step)/Model/Block_" +
         std::to_string(line) +
         "/Dense_0/add\" source_file=\"model/layers.py\" source_line=" +
         std::to_string(line) + "}";
}

/// A few lines such as fill a dump: `%x` is the value before and behind them.
std::string step(const std::string& before, const std::string& n, int line) {
  const std::string shape = "f32[32,128]{1,0}";
  std::string text;
  text += "  %broadcast." + n + " = " + shape +
          " broadcast(%arg.1), dimensions={1}" + metadata(line);
  text += "\n  %add." + n + " = " + shape + " add(%" + before +
          ", %broadcast." + n + ")" + metadata(line);
  text += "\n  %transpose." + n + " = f32[128,32]{0,1} transpose(%add." + n +
          "), dimensions={1,0}" + metadata(line);
  text += "\n  %reshape." + n + " = f32[128,32,1]{2,1,0} reshape(%transpose." +
          n + ")" + metadata(line);
  text +=
      "\n  %slice." + n + " = f32[64,32,1]{2,1,0} slice(%reshape." + n +
      "), slice={[0:128:2], [0:32], [0:1]}, sharding={devices=[2,1,1]<=[2]}";
  text += "\n  %constant." + n + " = f32[] constant(0.0078125)";
  text += "\n  %pad." + n + " = f32[128,32,1]{2,1,0} pad(%slice." + n +
          ", %constant." + n + "), padding=0_1_1x0_0x0_0" + metadata(line);
  text += "\n  %concatenate." + n +
          " = f32[256,32,1]{2,1,0} concatenate(%pad." + n + ", %reshape." + n +
          "), dimensions={0}" + metadata(line) + "\n";
  return text;
}

/// About 4 MB of HLO.
std::string make_dump() {
  std::string text = "HloModule jit_step\n";
  for (int c = 0; c < kComputations; ++c) {
    const std::string name = std::to_string(c);
    text += c + 1 == kComputations ? "\nENTRY %" : "\n%";
    text += "block." + name +
            " (arg.0: f32[32,128], arg.1: f32[128]) -> f32[32,128] {\n"
            "  %arg.0 = f32[32,128]{1,0} parameter(0)\n"
            "  %arg.1 = f32[128]{0} parameter(1)\n";
    std::string before = "arg.0";
    for (int s = 0; s < kSteps; ++s) {
      const std::string n = name + "." + std::to_string(s);
      text += step(before, n, 8 * c + s);
      before = "add." + n;
    }
    text += "  ROOT %out = f32[32,128]{1,0} add(%" + before + ", %arg.0)\n}\n";
  }
  return text;
}

std::string make_literal() {
  std::string text = "ENTRY %e {\n  ROOT %c = f32[1000,300]{1,0} constant({";
  for (int i = 0; i < 1000; ++i) {
    text += i > 0 ? ", {" : " {";
    for (int k = 0; k < 300; ++k) {
      text += (k > 0 ? ", " : " ") + std::to_string(0.001 * i - 0.37 * k);
    }
    text += " }";
  }
  return text + " })\n}\n";
}

void set_rate(benchmark::State& state, size_t size) {
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(size));
  state.counters["MB"] = static_cast<double>(size) / 1e6;
}

void parse_dump(benchmark::State& state) {
  const std::string source = make_dump();
  for (auto _ : state) benchmark::DoNotOptimize(parse(source));
  set_rate(state, source.size());
}

void parse_and_verify_dump(benchmark::State& state) {
  const std::string source = make_dump();
  for (auto _ : state) {
    Module module = parse(source);
    verify(module);
    benchmark::DoNotOptimize(module);
  }
  set_rate(state, source.size());
}

void print_dump(benchmark::State& state) {
  const std::string source = make_dump();
  const Module module = parse(source);
  for (auto _ : state) benchmark::DoNotOptimize(print(module));
  set_rate(state, source.size());
}

void parse_literal_of_f32(benchmark::State& state) {
  const std::string source = make_literal();
  for (auto _ : state) benchmark::DoNotOptimize(parse(source));
  set_rate(state, source.size());
}

void print_literal_of_f32(benchmark::State& state) {
  const std::string source = make_literal();
  const Module module = parse(source);
  for (auto _ : state) benchmark::DoNotOptimize(print(module));
  set_rate(state, source.size());
}

BENCHMARK(parse_dump)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_and_verify_dump)->Unit(benchmark::kMillisecond);
BENCHMARK(print_dump)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_literal_of_f32)->Unit(benchmark::kMillisecond);
BENCHMARK(print_literal_of_f32)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hlo::text

BENCHMARK_MAIN();
