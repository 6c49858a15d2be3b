#include "backends/cpu/engine.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>

#include "interpreter/verify/verify.h"

namespace hlo::cpu {
namespace {

// What a computation makes may be handed on: nothing says that it is needed no
// longer than the result's memory.
TEST(EngineTest, OffersMemoryForItsResultToFunctionsOfElementsAlone) {
  const Module module = verified_module(R"(
twice { x = f64[3] parameter(0)
  ROOT r = f64[3] add(x, x) }
ENTRY e { x = f64[3] parameter(0)
  n = f64[3] negate(x)
  ROOT c = f64[3] call(n), to_apply=twice })");
  const Array operand(Shape::array(ElementType::kF64, {3}));
  const Array* const operands[] = {&operand};
  for (const auto& instruction : module.entry->instructions) {
    if (instruction->operands.empty()) continue;
    std::array<std::byte, 24> memory;
    memory.fill(std::byte{1});
    const ResultPlace place(memory);
    run_one(*instruction, operands);
    EXPECT_EQ(memory[0] == std::byte{1}, instruction->name == "c");
  }
}

}  // namespace
}  // namespace hlo::cpu
