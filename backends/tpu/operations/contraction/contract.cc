#include "backends/tpu/operations/contraction/contract.h"

#include <algorithm>

#include "backends/tpu/operations/contraction/units.h"
#include "interpreter/rules/op.h"

namespace hlo::tpu {
namespace {

/// Which elements are multiplied: a convolution says it by its labels, a
/// ragged-dot by the sizes of groups that its third operand has.
std::unique_ptr<ContractionMap> map_of(Machine& machine,
                                       const Instruction& instruction,
                                       const Values& operands) {
  if (instruction.op->takes("dim_labels")) return convolution_map(instruction);
  if (!instruction.op->takes("lhs_ragged_dims")) return dot_map(instruction);
  return ragged_dot_map(machine, instruction, operands[2]->array);
}

double blocks(int64_t extent, int64_t size) {
  return static_cast<double>((extent + size - 1) / size);
}

/// Whether the vector unit needs fewer cycles, by one for each row that passes
/// the matrix unit, and for a term of a register one for each load, shift and
/// sum.
bool suits_vector_unit(const ContractionMap& map, const TiledArray& result,
                       int64_t size) {
  if (!map.is_uniform()) return false;
  constexpr double kOfTerm = 4;
  const ContractionMap::Extents e = map.extents(0);
  const double passes = static_cast<double>(map.products()) *
                        blocks(e.rows, size) * blocks(e.columns, size) *
                        blocks(e.depth, size);
  const double registers = static_cast<double>(result.registers());
  return registers * static_cast<double>(e.depth) * kOfTerm <
         passes * static_cast<double>(size);
}

bool has_scales(const Instruction& instruction) {
  return !instruction.op->takes("dim_labels") &&
         instruction.operands.size() == 4;
}

/// What a dot with scales must have to be evaluated (scaled-dot.types).
bool may_be_scaled(const Instruction& instruction) {
  const auto is_small_float = [](const Instruction* operand) {
    const ElementType type = operand->shape.element_type;
    return is_float(type) && type != ElementType::kF64;
  };
  return is_float(instruction.shape.element_type) &&
         std::ranges::all_of(instruction.operands, is_small_float);
}

/// The operation says itself what it does not take.
void refuse(const Instruction& instruction) {
  std::vector<Literal> none;
  for (const Instruction* operand : instruction.operands) {
    none.emplace_back(Shape::array(operand->shape.element_type, {0}));
  }
  instruction.op->terms(instruction, none,
                        Index(instruction.shape.dims.size(), 0),
                        [](const Term&) {});
}

}  // namespace

bool is_contraction(const Instruction& instruction) {
  return instruction.op->terms != nullptr;
}

TiledArray contract(Machine& machine, const Instruction& instruction,
                    const Values& operands, const Shape& shape) {
  TiledArray result = new_array(machine.memory, shape);
  if (result.order->elements() == 0) return result;
  if (instruction.find("sparsity_config") != nullptr ||
      (has_scales(instruction) && !may_be_scaled(instruction))) {
    refuse(instruction);
  }
  const Scheme scheme = scheme_of(instruction, machine.matrix);
  const std::unique_ptr<ContractionMap> map =
      map_of(machine, instruction, operands);
  const Contracted contracted{machine, instruction, operands,
                              scheme,  *map,        result};
  if (suits_vector_unit(*map, result, machine.generation->matrix_size)) {
    contract_on_vector_unit(contracted);
  } else {
    contract_on_matrix_unit(contracted);
  }
  return result;
}

}  // namespace hlo::tpu
