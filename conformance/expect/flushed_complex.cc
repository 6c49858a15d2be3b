#include "conformance/expect/flushed_complex.h"

#include <utility>
#include <vector>

#include "backends/backend.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/sets/admitted.h"
#include "conformance/sets/element_rule.h"
#include "interpreter/evaluate.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

const FloatFormat& format_of(const Literal& array) {
  return numeric::format(component_type(array.type()));
}

/// Whether that part of some element is subnormal.
bool has_subnormal_part(const Literal& array, size_t part) {
  for (int64_t i = 0; i < array.element_count(); ++i) {
    if (is_subnormal(array.at(i).bits.at(part), format_of(array))) return true;
  }
  return false;
}

/// The array with zeros, of their signs, in place of its subnormal parts.
Literal with_zeros(Literal array, size_t part) {
  const FloatFormat& format = format_of(array);
  for (int64_t i = 0; i < array.element_count(); ++i) {
    Scalar element = array.at(i);
    uint64_t& code = element.bits.at(part);
    if (!is_subnormal(code, format)) continue;
    code &= format.sign_mask();
    array.set(i, element);
  }
  return array;
}

struct Part {
  size_t operand;
  size_t part;
};

std::vector<Part> subnormal_parts(Operands operands) {
  std::vector<Part> found;
  for (size_t k = 0; k < operands.size(); ++k) {
    if (!is_float(component_type(operands[k].type()))) continue;
    const auto parts = static_cast<size_t>(components(operands[k].type()));
    for (size_t part = 0; part < parts; ++part) {
      if (has_subnormal_part(operands[k], part)) found.push_back({k, part});
    }
  }
  return found;
}

void add(ArraySet& set, const ArraySet& other) {
  for (int64_t i = 0; i < set.value.element_count(); ++i) {
    ElementSet element = set.element(i);
    element.add(other.element(i));
    set.put(i, element);
  }
}

void add_zeros(ArraySet& set) {
  const ElementType type = component_type(set.value.type());
  for (int64_t i = 0; i < set.value.element_count(); ++i) {
    for (int part = 0; part < components(set.value.type()); ++part) {
      ValueSet own = set.at(i, part);
      add_zeros_of_subnormals(own, type);
      set.put(i, part, own);
    }
  }
}

}  // namespace

bool flushes_complex(const Instruction& instruction, const Profile& profile) {
  return flushes(profile) && instruction.op->element != nullptr &&
         !keeps_bits(instruction) &&
         is_complex(instruction.operand_shape(0).element_type) &&
         is_float(component_type(instruction.shape.element_type)) &&
         !ElementRule::applies_to(instruction);
}

Expectation expect_flushed_complex(const Instruction& instruction,
                                   Operands operands, const Literal& reference,
                                   const Profile& profile,
                                   const ComplexSets& sets) {
  Expectation all = sets(operands, reference);
  auto* const set = std::get_if<ArraySet>(&all);
  if (set == nullptr) return all;
  const std::vector<Part> parts =
      has_daz(profile) ? subnormal_parts(operands) : std::vector<Part>();
  for (size_t choice = 1; choice < size_t{1} << parts.size(); ++choice) {
    std::vector<Literal> variant(operands.begin(), operands.end());
    for (size_t k = 0; k < parts.size(); ++k) {
      if ((choice >> k & 1) == 0) continue;
      Literal& operand = variant[parts[k].operand];
      operand = with_zeros(std::move(operand), parts[k].part);
    }
    Evaluator evaluator(kReference);
    const Expectation found =
        sets(variant, evaluate_instruction(instruction, variant, evaluator));
    if (!std::holds_alternative<ArraySet>(found)) return found;
    add(*set, std::get<ArraySet>(found));
  }
  if (has_ftz(profile)) add_zeros(*set);
  return all;
}

}  // namespace hlo::conformance
