#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

#include "interpreter/rules/op.h"

namespace hlo {

/// Their product; the largest number where it is larger, 0 where one of them is
/// 0. None is negative.
int64_t saturating_product(std::initializer_list<int64_t> factors);
int64_t saturating_product(std::span<const int64_t> factors);

/// How many elements each array of the result has, where all have as many.
int64_t result_elements(const Instruction& instruction);

/// What an instruction that is run by itself costs beside its value, in units
/// of work (interpreter/run/budget.h).
inline constexpr int64_t kWorkOfInstruction = 500;
/// How many times as long what is done for one element at a time takes as what
/// is done for many side by side.
inline constexpr int64_t kWorkOfTurn = 64;
/// As many elements take as long as it does to begin with some side by side.
inline constexpr int64_t kWorkOfRun = 20;
/// How many times as long a definition takes as a plan: that of an element,
/// that of a whole value, and where either is slow.
inline constexpr int64_t kWorkOfDefinition = 256;
inline constexpr int64_t kWorkOfWholeDefinition = 64;
inline constexpr int64_t kWorkOfSlowDefinition = 16;

/// How many units of work an element of the result takes by a plan, as
/// `./dev bench --table operations` and `--table functions` measure it.
int64_t work_of_element(const Instruction& instruction);

/// So many units of work for each element of its largest array.
int64_t work_for_each(const Instruction& instruction, int64_t units);

/// Op::work of an operation that takes as many.
template <int64_t kUnits>
int64_t work_of_each(const Instruction& instruction) {
  return work_for_each(instruction, kUnits);
}

/// That of sums of so many products in all for each element of the result.
int64_t work_of_sums(const Instruction& instruction, int64_t products);

/// Exact elimination's: the product of these numbers is about what it costs.
int64_t work_of_elimination(std::initializer_list<int64_t> factors);

/// How many units of work the value of an instruction takes by a plan, regions
/// aside: what the operation says (Op::work), or for each element of operands
/// and result as much as its kind takes.
int64_t work_of(const Instruction& instruction);
/// How many units its value takes by its definition, element by element.
int64_t work_by_definition(const Instruction& instruction);

}  // namespace hlo
