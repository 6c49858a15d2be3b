#include "interpreter/rules/work.h"

#include <algorithm>
#include <limits>

namespace hlo {
namespace {

constexpr int64_t kProductsInAUnit = 8;  // where vectors compute them

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

int64_t saturating_sum(int64_t a, int64_t b) {
  return a > kMost - b ? kMost : a + b;
}

/// Each leaf of a tuple costs as much as some elements.
int64_t elements(const Shape& shape) {
  constexpr int64_t kLeaf = 16;
  if (shape.is_array()) return saturating_sum(shape.element_count(), kLeaf);
  int64_t sum = kLeaf;
  for (const Shape& element : shape.tuple_shapes) {
    sum = saturating_sum(sum, elements(element));
  }
  return sum;
}

/// What is handed on, and not copied.
bool is_shared(const Op& op) {
  const Form form = op.form;
  return (form == Form::kIdentity && op.element == nullptr) ||
         form == Form::kConstant || form == Form::kParameter ||
         form == Form::kTuple || form == Form::kElement;
}

int64_t leaves_of(const Shape& shape) {
  int64_t count = 1;
  for (const Shape& element : shape.tuple_shapes) count += leaves_of(element);
  return count;
}

int64_t most_elements(const Instruction& instruction) {
  const Op& op = *instruction.op;
  int64_t most = elements(instruction.shape);
  // What moves elements need not look at all of them.
  if (op.source != nullptr || op.element != nullptr) return most;
  for (const Instruction* operand : instruction.operands) {
    most = std::max(most, elements(operand->shape));
  }
  return most;
}

int64_t work_of_complex(const Accuracy& accuracy) {
  using numeric::ComplexFunction2;
  constexpr int64_t kArithmetic = 4;
  constexpr int64_t kFunction = 500;
  constexpr int64_t kAngle = 20'000;
  if (accuracy.complex_function2 == ComplexFunction2::kAtan2) return kAngle;
  const bool is_function =
      accuracy.complex_function ||
      accuracy.complex_function2 == ComplexFunction2::kPower;
  return is_function ? kFunction : kArithmetic;
}

}  // namespace

int64_t work_of_element(const Instruction& instruction) {
  if (!instruction.shape.is_array()) return 1;
  const ElementType type = instruction.shape.element_type;
  const Op& op = *instruction.op;
  const Accuracy& accuracy = op.accuracy;
  if (is_complex(type)) return work_of_complex(accuracy);
  if (!op.target.empty()) return bits(type) > 16 ? 400 : 4;
  if (!accuracy.function && !accuracy.function2) return 1;
  return bits(type) > 32 ? 100 : 8;
}

int64_t saturating_product(std::span<const int64_t> factors) {
  if (std::ranges::find(factors, 0) != factors.end()) return 0;
  int64_t product = 1;
  for (const int64_t factor : factors) {
    if (factor > kMost / product) return kMost;
    product *= factor;
  }
  return product;
}

int64_t saturating_product(std::initializer_list<int64_t> factors) {
  return saturating_product(std::span(factors.begin(), factors.size()));
}

int64_t result_elements(const Instruction& instruction) {
  const Shape* shape = &instruction.shape;
  while (shape->is_tuple()) shape = &shape->tuple_shapes.at(0);
  return shape->element_count();
}

int64_t work_for_each(const Instruction& instruction, int64_t units) {
  return saturating_product({most_elements(instruction), units});
}

int64_t work_by_definition(const Instruction& instruction) {
  constexpr int64_t kSlow = 64;  // from here on functions take most of it
  int64_t times = kWorkOfDefinition;
  if (instruction.op->terms != nullptr) times *= kProductsInAUnit;
  if (instruction.op->value != nullptr) times = kWorkOfWholeDefinition;
  if (work_of_element(instruction) >= kSlow) times = kWorkOfSlowDefinition;
  return saturating_product({work_of(instruction), times});
}

int64_t work_of_sums(const Instruction& instruction, int64_t products) {
  const ElementType type = instruction.shape.element_type;
  const bool is_wide = bits(component_type(type)) > 32;
  const int64_t cost = is_wide ? (is_complex(type) ? 18 : 4)
                               : (is_complex(type) || !is_float(type) ? 3 : 1);
  return saturating_product(
      {saturating_product({result_elements(instruction), products}) /
               kProductsInAUnit +
           1,
       cost});
}

int64_t work_of_elimination(std::initializer_list<int64_t> factors) {
  constexpr int64_t kBitsAtOnce = 32;
  return saturating_product(factors) / kBitsAtOnce;
}

int64_t work_of(const Instruction& instruction) {
  constexpr int64_t kSharedLeaf = 100;
  if (is_shared(*instruction.op)) {
    return kSharedLeaf * leaves_of(instruction.shape);
  }
  if (instruction.op->work != nullptr) {
    return instruction.op->work(instruction);
  }
  return work_for_each(instruction, work_of_element(instruction));
}

}  // namespace hlo
