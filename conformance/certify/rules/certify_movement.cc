#include "conformance/certify/rules/certify_movement.h"

#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/plans/movement/movement.h"

namespace hlo::conformance {
namespace {

/// Which operands elements come from; the others say whence.
std::vector<bool> find_sources(const Movement& movement, size_t operands) {
  std::vector<bool> is_source(operands, false);
  if (movement.fill_operand >= 0) {
    is_source[static_cast<size_t>(movement.fill_operand)] = true;
  }
  for (const Block& block : movement.blocks) {
    is_source[static_cast<size_t>(block.operand)] = true;
  }
  return is_source;
}

Literal numbered(Shape shape, int64_t first) {
  shape.element_type = ElementType::kS64;
  Literal numbers(shape);
  int64_t next = first;
  for (int64_t& number : numbers.mutable_data<int64_t>()) number = next++;
  return numbers;
}

SetArray gathered(const Literal& from, const std::vector<int64_t>& first,
                  const Application& a) {
  SetArray result;
  result.nominal = a.nominal;
  for (const int64_t number : from.data<int64_t>()) {
    size_t source = first.size();
    for (size_t k = 0; k < first.size(); ++k) {
      if (first[k] > 0 && first[k] <= number) source = k;
    }
    result.sets.push_back(source == first.size()
                              ? ValueSet::of(0, a.nominal.type())
                              : a.operands[source]->at(number - first[source]));
  }
  return simplified(std::move(result));
}

}  // namespace

/// Moves numbers that say where each element comes from.
SetArray certify_movement(const Application& a) {
  const Movement movement =
      a.instruction.op->movement(a.instruction, a.nominals);
  const std::vector<bool> is_source = find_sources(movement, a.operands.size());
  std::vector<Literal> numbers(a.nominals.begin(), a.nominals.end());
  std::vector<int64_t> first(a.operands.size(), 0);
  int64_t next = 1;  // 0: a zero
  for (size_t k = 0; k < a.operands.size(); ++k) {
    if (!is_source[k]) {
      if (a.operands[k]->is_known()) continue;
      return SetArray::nothing(a.nominal,
                               "the places that " + a.instruction.name +
                                   " takes are not the same everywhere");
    }
    if (a.nominals[k].type() != a.nominal.type() ||
        is_complex(a.nominal.type())) {
      return unruled(a);
    }
    first[k] = next;
    numbers[k] = numbered(a.nominals[k].shape(), next);
    next += a.nominals[k].element_count();
  }
  Shape shape = a.nominal.shape();
  shape.element_type = ElementType::kS64;
  return gathered(hlo::apply(movement, shape, numbers), first, a);
}

}  // namespace hlo::conformance
