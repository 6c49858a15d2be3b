#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>

#include "interpreter/evaluate.h"
#include "interpreter/program.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify.h"

// Time per element of element-wise operations, at a million elements, and of
// compiled regions.

namespace hlo {
namespace {

constexpr int64_t kElements = 1'000'000;

void count_elements(benchmark::State& state, int64_t elements) {
  state.counters["ns/element"] =
      benchmark::Counter(static_cast<double>(elements) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
}

/// A literal of `type` with numbers from 1 to 100 in it.
Literal numbers(const std::string& type, const Shape& shape) {
  Literal literal(shape);
  const Shape small = Shape::array(shape.element_type, {4});
  const bool is_complex_type = is_complex(shape.element_type);
  const std::string text =
      shape.element_type == ElementType::kPred ? "{0, 1, 1, 0}"
      : is_complex_type ? "{(1, 2), (3, 4), (5, 6), (7, 8)}"
                        : "{1, 2, 3, 5}";
  const Literal some = text::parse_literal_with_shape(type + "[4] " + text);
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    literal.set(i, some.at(i % small.element_count()));
  }
  return literal;
}

/// `op` on operands of `type`, with a result of `result_type`.
void run(benchmark::State& state, const std::string& op, int operands,
         const std::string& type, const std::string& result_type,
         const std::string& attributes) {
  const std::string dims = fmt::format("[{}]", kElements);
  std::string source = "HloModule m\nENTRY main {\n";
  std::string names;
  for (int k = 0; k < operands; ++k) {
    source += fmt::format("p{} = {}{} parameter({})\n", k, type, dims, k);
    names += fmt::format("{}p{}", k > 0 ? ", " : "", k);
  }
  source += fmt::format("ROOT r = {}{} {}({}){}\n}}", result_type, dims, op,
                        names, attributes);
  Module module = text::parse(source);
  verify(module);
  const Instruction& root = *module.entry->root;
  const std::vector<Literal> inputs(static_cast<size_t>(operands),
                                    numbers(type, root.operand_shape(0)));
  Evaluator evaluator;
  for (auto _ : state) {
    benchmark::DoNotOptimize(evaluate_instruction(root, inputs, evaluator));
  }
  count_elements(state, kElements);
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
  Module module = text::parse(kRegion);
  verify(module);
  const auto program = Program::compile(*module.computations[0]);
  const int64_t n = state.range(0);
  Program::Scratch scratch(*program, n);
  std::vector<float> x(static_cast<size_t>(n), 1.5F);
  std::vector<float> result(x.size());
  const std::byte* const inputs[] = {
      reinterpret_cast<const std::byte*>(x.data()),
      reinterpret_cast<const std::byte*>(x.data())};
  std::byte* const outputs[] = {reinterpret_cast<std::byte*>(result.data())};
  for (auto _ : state) {
    program->run(scratch, n, inputs, outputs);
    benchmark::DoNotOptimize(result.data());
    benchmark::ClobberMemory();
  }
  count_elements(state, n);
}

BENCHMARK_CAPTURE(run, add_f32, "add", 2, "f32", "f32", "");
BENCHMARK_CAPTURE(run, add_f64, "add", 2, "f64", "f64", "");
BENCHMARK_CAPTURE(run, add_s32, "add", 2, "s32", "s32", "");
BENCHMARK_CAPTURE(run, add_bf16, "add", 2, "bf16", "bf16", "");
BENCHMARK_CAPTURE(run, add_f8e4m3fn, "add", 2, "f8e4m3fn", "f8e4m3fn", "");
BENCHMARK_CAPTURE(run, add_c64, "add", 2, "c64", "c64", "");
BENCHMARK_CAPTURE(run, multiply_f32, "multiply", 2, "f32", "f32", "");
BENCHMARK_CAPTURE(run, multiply_bf16, "multiply", 2, "bf16", "bf16", "");
BENCHMARK_CAPTURE(run, multiply_c64, "multiply", 2, "c64", "c64", "");
BENCHMARK_CAPTURE(run, divide_f32, "divide", 2, "f32", "f32", "");
BENCHMARK_CAPTURE(run, divide_s32, "divide", 2, "s32", "s32", "");
BENCHMARK_CAPTURE(run, maximum_f32, "maximum", 2, "f32", "f32", "");
BENCHMARK_CAPTURE(run, compare_f32, "compare", 2, "f32", "pred",
                  ", direction=LT");
BENCHMARK_CAPTURE(run, negate_f32, "negate", 1, "f32", "f32", "");
BENCHMARK_CAPTURE(run, sqrt_f32, "sqrt", 1, "f32", "f32", "");
BENCHMARK_CAPTURE(run, exponential_f32, "exponential", 1, "f32", "f32", "");
BENCHMARK_CAPTURE(run, tanh_f32, "tanh", 1, "f32", "f32", "");
BENCHMARK_CAPTURE(run, convert_f32_bf16, "convert", 1, "f32", "bf16", "");
BENCHMARK_CAPTURE(run, convert_bf16_f32, "convert", 1, "bf16", "f32", "");
BENCHMARK_CAPTURE(run, convert_f32_f16, "convert", 1, "f32", "f16", "");
BENCHMARK_CAPTURE(run, convert_f32_f64, "convert", 1, "f32", "f64", "");
BENCHMARK_CAPTURE(run, convert_f32_s32, "convert", 1, "f32", "s32", "");
BENCHMARK_CAPTURE(run, convert_s32_f32, "convert", 1, "s32", "f32", "");
BENCHMARK_CAPTURE(run, convert_f32_f8e4m3fn, "convert", 1, "f32", "f8e4m3fn",
                  "");
BENCHMARK(region)->Arg(1)->Arg(64)->Arg(1024);

}  // namespace
}  // namespace hlo

BENCHMARK_MAIN();
