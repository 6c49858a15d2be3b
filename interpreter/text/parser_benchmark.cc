#include <benchmark/benchmark.h>

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/testing/timing.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

// The speed of reading and printing text, beside what any reader and any
// printer does: cutting the text into words, adding the words to a string; and
// beside std::from_chars and std::to_chars for numbers.

namespace hlo::text {
namespace {

using timing::Baseline;

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

bool is_word(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') ||
         ('0' <= c && c <= '9') || c == '_' || c == '.' || c == '-';
}

/// The words and marks of a text, without the white space.
std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (is_word(text[i])) {
      while (end < text.size() && is_word(text[end])) ++end;
    }
    if (text[i] != ' ' && text[i] != '\n') {
      found.push_back(text.substr(i, end - i));
    }
    i = end;
  }
  return found;
}

Baseline cutting(const std::string& text) {
  return timing::baseline("cutting_into_words",
                          [&] { benchmark::DoNotOptimize(words(text)); });
}

Baseline joining(const std::string& text) {
  const std::vector<std::string_view> parts = words(text);
  return timing::baseline("joining_words", [&] {
    std::string joined;
    for (const std::string_view part : parts) (joined += part) += ' ';
    benchmark::DoNotOptimize(joined);
  });
}

/// The numbers of a text, as far as they are words of their own.
std::vector<float> numbers(const std::vector<std::string_view>& words) {
  std::vector<float> found;
  for (const std::string_view word : words) {
    float x = 0;
    const char* end = word.data() + word.size();
    if (std::from_chars(word.data(), end, x).ptr == end) found.push_back(x);
  }
  return found;
}

Baseline from_chars(const std::string& text) {
  const std::vector<std::string_view> parts = words(text);
  return timing::baseline("from_chars",
                          [&] { benchmark::DoNotOptimize(numbers(parts)); });
}

Baseline to_chars(const std::string& text) {
  const std::vector<float> values = numbers(words(text));
  return timing::baseline("to_chars", [&] {
    std::string joined;
    char digits[32];
    for (const float x : values) {
      joined.append(digits, std::to_chars(digits, digits + 32, x).ptr) += ' ';
    }
    benchmark::DoNotOptimize(joined);
  });
}

template <typename Body>
timing::Row run(benchmark::State& state, const std::string& text, Body body) {
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  state.counters["MB"] = megabytes;
  return timing::Row(state, body).rate("MB", megabytes);
}

void parse_dump(benchmark::State& state) {
  const std::string text = make_dump();
  run(state, text, [&] {
    benchmark::DoNotOptimize(parse(text));
  }).against(cutting(text));
}

void parse_and_verify_dump(benchmark::State& state) {
  const std::string text = make_dump();
  run(state, text, [&] {
    Module module = parse(text);
    verify(module);
    benchmark::DoNotOptimize(module);
  }).against(cutting(text));
}

void print_dump(benchmark::State& state) {
  const std::string text = make_dump();
  const Module module = parse(text);
  run(state, text, [&] {
    benchmark::DoNotOptimize(print(module));
  }).against(joining(text));
}

void parse_literal_of_f32(benchmark::State& state) {
  const std::string text = make_literal();
  run(state, text, [&] {
    benchmark::DoNotOptimize(parse(text));
  }).against(from_chars(text));
}

void print_literal_of_f32(benchmark::State& state) {
  const std::string text = make_literal();
  const Module module = parse(text);
  run(state, text, [&] {
    benchmark::DoNotOptimize(print(module));
  }).against(to_chars(text));
}

BENCHMARK(parse_dump)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_and_verify_dump)->Unit(benchmark::kMillisecond);
BENCHMARK(print_dump)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_literal_of_f32)->Unit(benchmark::kMillisecond);
BENCHMARK(print_literal_of_f32)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hlo::text

BENCHMARK_MAIN();
