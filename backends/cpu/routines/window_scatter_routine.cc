#include "backends/cpu/routines/window_scatter_routine.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/cpu/kernels/folds/scatter_chosen.h"
#include "backends/cpu/routines/regions/combining_region.h"
#include "backends/cpu/routines/regions/comparator.h"
#include "backends/cpu/routines/window_routine.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

constexpr std::pair<std::string_view, Choice> kChoices[] = {
    {"LT", Choice::kLess},
    {"LE", Choice::kAtMost},
    {"GT", Choice::kGreater},
    {"GE", Choice::kAtLeast},
};

/// How a region compares its two parameters by value; nullopt of others.
std::optional<Choice> choice_of(const Computation& select) {
  const Instruction& root = *select.root;
  if (root.op->name != "compare" || select.parameters.size() != 2 ||
      root.operands[0] != select.parameters[0] ||
      root.operands[1] != select.parameters[1]) {
    return std::nullopt;
  }
  if (by_total_order(root)) return std::nullopt;
  const std::string& direction = root.get<Word>("direction").value;
  const auto* const found = std::ranges::find(
      kChoices, direction, [](const auto& one) { return one.first; });
  return found == std::end(kChoices) ? std::nullopt
                                     : std::optional(found->second);
}

bool has_one_type(const Instruction& instruction, const Computation& select) {
  const ElementType type = instruction.shape.element_type;
  const auto is_other = [&](const Instruction* value) {
    return value->shape.element_type != type;
  };
  return std::ranges::none_of(instruction.operands, is_other) &&
         std::ranges::none_of(select.parameters, is_other);
}

}  // namespace

std::optional<Routine> window_scatter_routine(const Instruction& instruction) {
  const Computation& select = *instruction.get<Computation*>("select");
  const AttributeValue* window = instruction.find("window");
  const Shape& operand = instruction.operand_shape(0);
  const ElementType type = operand.element_type;
  const auto choice = choice_of(select);
  const auto how =
      combining_region(*instruction.get<Computation*>("scatter"), type);
  if (window == nullptr || !choice || !how || is_complex(type) ||
      !has_one_type(instruction, select)) {
    return std::nullopt;
  }
  const auto lines = window_lines(std::get<Window>(*window), operand,
                                  instruction.operand_shape(1));
  if (!lines) return std::nullopt;
  return Routine{[choice = *choice, how = *how, type, lines = *lines](
                     auto operands, auto results) {
    scatter_chosen(choice, how, type, lines, operands[0], operands[1],
                   operands[2], results[0]);
  }};
}

}  // namespace hlo::cpu
