// Evaluates a program with the installed library.
#include <cstdio>

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
}
