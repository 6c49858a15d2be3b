// Evaluates programs with the installed library: one from text, one that is
// built, one that calls a function of this file.
#include <cstdio>

#include "interpreter/builder/xla_builder.h"
#include "interpreter/evaluate.h"
#include "interpreter/foreign/custom_calls.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace {

void negate_two(void* out, void** in) {
  const auto* x = static_cast<const float*>(in[0]);
  for (int i = 0; i < 2; ++i) static_cast<float*>(out)[i] = -x[i];
}

}  // namespace

int main() {
  hlo::Module module = hlo::text::parse(
      "ENTRY main { x = f32[2] constant({1, 2}) ROOT y = f32[2] add(x, x) }");
  hlo::verify(module);
  const hlo::Literal result = hlo::evaluate(module, {});
  std::puts(hlo::text::print(result).c_str());

  hlo::builder::XlaBuilder builder("built");
  const auto x = hlo::builder::ConstantR1<float>(&builder, {1, 2});
  const auto built =
      builder.Build(Mul(x, hlo::builder::ConstantR0<float>(&builder, 3)));
  std::puts(hlo::text::print(hlo::evaluate(built.module(), {})).c_str());

  hlo::CustomCalls functions;
  functions.add("negate_two", negate_two);
  hlo::Module calling = hlo::text::parse(
      "ENTRY main { x = f32[2] constant({4, 8}) ROOT y = f32[2] "
      "custom-call(x), custom_call_target=\"negate_two\" }");
  hlo::verify(calling);
  hlo::EvaluatorOptions options;
  options.custom_calls = &functions;
  std::puts(hlo::text::print(hlo::evaluate(calling, {}, options)).c_str());
}
