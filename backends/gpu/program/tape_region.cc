#include <string_view>

#include "backends/gpu/program/kernel_codes.h"
#include "backends/gpu/program/tape.h"
#include "backends/gpu/program/value.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/op.h"

// Computations on scalars, whose values are the registers of their leaves.

namespace hlo::gpu {
namespace {

/// How many scalars stand before part k of a tuple.
size_t leaves_before(const Shape& tuple, size_t k) {
  size_t count = 0;
  for (size_t i = 0; i < k; ++i) {
    count += leaves(tuple.tuple_shapes.at(i)).size();
  }
  return count;
}

/// The registers of part k of a tuple's.
std::vector<int64_t> part_of(const Shape& tuple, size_t k,
                             std::span<const int64_t> registers) {
  const size_t count = leaves(tuple.tuple_shapes.at(k)).size();
  const auto part = registers.subspan(leaves_before(tuple, k), count);
  return {part.begin(), part.end()};
}

/// The shapes of the arguments of a computation, or of the operands.
Shape shape_of_all(const std::vector<Instruction*>& values) {
  std::vector<Shape> shapes;
  for (const Instruction* value : values) shapes.push_back(value->shape);
  return Shape::tuple(std::move(shapes));
}

constexpr int64_t kMostDepth = 50;

}  // namespace

int64_t TapeWriter::reread(const Instruction& instruction, int64_t source,
                           ElementType from, ElementType to) {
  if (is_complex(from) || is_complex(to)) {
    refuse(instruction, "inside of a computation on scalars");
  }
  // A bitcast reads bytes, which the sign of a narrower integer fills.
  const bool is_filled =
      instruction.op->name == "bitcast" && is_signed(from) && bits(from) < 8;
  return part(source, is_filled ? ElementType::kS8 : from, to, 0);
}

std::vector<int64_t> TapeWriter::handed_on(
    const Instruction& instruction, const std::vector<int64_t>& operands) {
  std::vector<ElementType> own;
  for (size_t k = 0; k < instruction.operands.size(); ++k) {
    for (const Shape* leaf : leaves(instruction.operand_shape(k))) {
      own.push_back(leaf->element_type);
    }
  }
  const std::string_view name = instruction.op->name;
  const bool keeps_bits = name == "bitcast" || name == "bitcast-convert";
  std::vector<int64_t> registers;
  for (const Shape* leaf : leaves(instruction.shape)) {
    const size_t k = registers.size();
    const ElementType type = leaf->element_type;
    if (own.at(k) == type || name == "real") {
      registers.push_back(operands.at(k));  // a real part is in its place
    } else if (keeps_bits) {
      registers.push_back(reread(instruction, operands.at(k), own[k], type));
    } else {
      registers.push_back(convert(operands.at(k), own[k], type));
    }
  }
  return registers;
}

std::vector<int64_t> TapeWriter::visit(const Instruction& instruction,
                                       const std::vector<int64_t>& operands) {
  switch (instruction.op->form) {
    case Form::kConstant:
      if (!instruction.literal || !instruction.shape.is_array()) break;
      return {constant(*instruction.literal)};
    case Form::kTuple:
    case Form::kIdentity:
    case Form::kMovement:
    case Form::kBits:
      return handed_on(instruction, operands);
    case Form::kCall:
    case Form::kMap:
      return add(callee_of(instruction), operands);
    case Form::kElement:
      return part_of(instruction.operand_shape(0),
                     static_cast<size_t>(instruction.get<int64_t>("index")),
                     operands);
    case Form::kBranches:
      return branches(instruction, operands);
    default:
      if (is_elementwise(instruction)) return {add(instruction, operands)};
      break;
  }
  refuse(instruction, "inside of a computation on scalars");
}

/// All of them, since what is left out has no effect.
std::vector<int64_t> TapeWriter::branches(const Instruction& conditional,
                                          std::span<const int64_t> operands) {
  const Shape shapes = shape_of_all(conditional.operands);
  const Computations choices = branches_of(conditional);
  const int64_t selector = operands[0];
  const ElementType type = conditional.operand_shape(0).element_type;
  const auto result_of = [&](size_t b) {
    return add(*choices[b], part_of(shapes, b + 1, operands));
  };
  std::vector<int64_t> chosen = result_of(choices.size() - 1);
  for (size_t b = choices.size() - 1; b-- > 0;) {
    const int64_t is_chosen =
        type == ElementType::kPred ? selector : equals(selector, type, b);
    const std::vector<int64_t> result = result_of(b);
    size_t k = 0;
    for (const Shape* leaf : leaves(conditional.shape)) {
      chosen[k] = append(OP_SELECT, leaf->element_type, ElementType::kPred,
                         is_chosen, result[k], chosen[k], 0);
      ++k;
    }
  }
  return chosen;
}

int64_t TapeWriter::equals(int64_t source, ElementType type, size_t number) {
  const int64_t other =
      append(OP_CONSTANT, type, type, static_cast<int64_t>(number), 0, 0, 0);
  return append(OP_COMPARE, ElementType::kPred, type, source, other, source,
                EQUAL);
}

std::vector<int64_t> TapeWriter::add(const Computation& computation,
                                     std::span<const int64_t> arguments) {
  if (++depth_ > kMostDepth) {
    throw Unsupported("does not run calls that are nested that deep");
  }
  const Shape parameters = shape_of_all(computation.parameters);
  std::vector<std::vector<int64_t>> values(computation.instructions.size());
  for (const auto& instruction : computation.instructions) {
    for (const Shape* leaf : leaves(instruction->shape)) {
      if (!leaf->is_array() || leaf->element_count() != 1) {
        refuse(*instruction, "inside of a computation on scalars");
      }
    }
    auto& value = values[static_cast<size_t>(instruction->position)];
    if (instruction->parameter_number >= 0) {
      value = part_of(parameters,
                      static_cast<size_t>(instruction->parameter_number),
                      arguments);
      continue;
    }
    std::vector<int64_t> operands;
    for (const Instruction* operand : instruction->operands) {
      const auto& own = values[static_cast<size_t>(operand->position)];
      operands.insert(operands.end(), own.begin(), own.end());
    }
    value = visit(*instruction, operands);
  }
  --depth_;
  return values[static_cast<size_t>(computation.root->position)];
}

}  // namespace hlo::gpu
