#include "backends/cpu/routines/regions/extreme_region.h"

#include <array>
#include <string_view>
#include <utility>

#include "backends/cpu/routines/regions/comparator.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

bool has_name(const Instruction& instruction, std::string_view name) {
  return instruction.op->name == name;
}

/// Whether it is that comparison of two parameters by value.
bool compares(const Instruction& compare, std::string_view direction,
              int64_t left, int64_t right) {
  if (!has_name(compare, "compare") ||
      compare.get<Word>("direction").value != direction) {
    return false;
  }
  return !by_total_order(compare) &&
         compare.operands[0]->parameter_number == left &&
         compare.operands[1]->parameter_number == right;
}

/// Whether the operands of an operation, in any order, are what is asked for.
template <typename First, typename Second>
bool has_both(const Instruction& operation, std::string_view name, First first,
              Second second) {
  if (!has_name(operation, name)) return false;
  const Instruction& a = *operation.operands[0];
  const Instruction& b = *operation.operands[1];
  return (first(a) && second(b)) || (first(b) && second(a));
}

bool selects(const Instruction& select, int64_t left, int64_t right) {
  return has_name(select, "select") &&
         select.operands[1]->parameter_number == left &&
         select.operands[2]->parameter_number == right;
}

bool is_by_number(const Instruction& condition, std::string_view direction) {
  return has_both(
      condition, "or",
      [&](const auto& one) { return compares(one, direction, 0, 2); },
      [](const auto& one) { return compares(one, "NE", 0, 0); });
}

bool is_by_place(const Instruction& condition) {
  return has_both(
      condition, "and",
      [](const auto& one) { return compares(one, "EQ", 0, 2); },
      [](const auto& one) { return compares(one, "LT", 1, 3); });
}

}  // namespace

std::optional<ExtremeRegion> extreme_region(const Computation& region) {
  const Instruction& root = *region.root;
  if (region.parameters.size() != 4 || !has_name(root, "tuple") ||
      root.operands.size() != 2 || !selects(*root.operands[0], 0, 2) ||
      !selects(*root.operands[1], 1, 3)) {
    return std::nullopt;
  }
  const Instruction& number = *root.operands[0]->operands[0];
  const Instruction& place = *root.operands[1]->operands[0];
  using enum ExtremeRegion;
  for (const auto& [direction, found] :
       {std::pair{"GT", kLargest}, std::pair{"LT", kLeast}}) {
    const auto by_number = [&, way = direction](const Instruction& one) {
      return is_by_number(one, way);
    };
    if (by_number(number) && has_both(place, "or", by_number, is_by_place)) {
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace hlo::cpu
