// Evaluates programs with the installed library: one from text, one that is
// built.
#include <cstdio>

#include "interpreter/builder/xla_builder.h"
#include "interpreter/evaluate.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify.h"

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
}
