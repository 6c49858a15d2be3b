#include "conformance/random/random_program.h"

#include <algorithm>
#include <array>
#include <vector>

#include "conformance/random/contraction_recipes.h"
#include "conformance/random/control_recipes.h"
#include "conformance/random/device_recipes.h"
#include "conformance/random/elementwise_recipes.h"
#include "conformance/random/gather_recipes.h"
#include "conformance/random/general_recipe.h"
#include "conformance/random/linear_recipes.h"
#include "conformance/random/movement_recipes.h"
#include "conformance/random/region_recipes.h"

namespace hlo::conformance {

namespace {

constexpr int kAttempts = 16;

Recipe find_recipe(std::string_view op) {
  const std::array families = {elementwise_recipes(), movement_recipes(),
                               gather_recipes(),      region_recipes(),
                               contraction_recipes(), linear_recipes(),
                               control_recipes(),     device_recipes()};
  for (const auto& family : families) {
    const auto at = std::ranges::find(family, op, &NamedRecipe::op);
    if (at != family.end()) return at->recipe;
  }
  return write_general;
}

std::vector<const Op*> evaluable_ops() {
  std::vector<const Op*> result;
  for (const Op* op : all_ops()) {
    if (op->is_defined()) result.push_back(op);
  }
  return result;
}

void write_instruction(ProgramWriter& writer, const Op& op, int64_t most) {
  const Recipe recipe = find_recipe(op.name);
  for (int i = 0; i < kAttempts; ++i) {
    if (writer.step(most, [&] { recipe(writer, op); })) return;
  }
}

}  // namespace

std::string random_program(uint64_t seed) {
  static const std::vector<const Op*> ops = evaluable_ops();
  ProgramWriter writer(seed);
  const int64_t size = writer.draw.between(1, kMostInstructions);
  for (int64_t i = 0; writer.size() < size && (i < size || writer.size() == 0);
       ++i) {
    write_instruction(writer, *writer.draw.of(ops), size);
  }
  if (writer.size() < size) {
    writer.step(size, [&] { writer.add("", "tuple", writer.some_values()); });
  }
  return writer.text();
}

}  // namespace hlo::conformance
