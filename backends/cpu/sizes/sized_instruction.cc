#include "backends/cpu/sizes/sized_instruction.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "backends/cpu/arrays/literals.h"
#include "interpreter/error.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/sizes/fitting.h"

namespace hlo::cpu {
namespace {

/// Copies the elements whose indices are below `sizes`, row by row.
void copy_box(const Array& from, Array& to, const Ints& sizes) {
  if (std::ranges::count(sizes, 0) > 0) return;
  Ints rows = sizes;
  const int64_t length = rows.empty() ? 1 : rows.back();
  if (!rows.empty()) rows.back() = 1;
  const int64_t count = Shape::array(ElementType::kPred, rows).element_count();
  const size_t width = from.width();
  for (int64_t row = 0; row < count; ++row) {
    const Index index = delinearize(row, rows);
    const auto read = static_cast<size_t>(linearize(index, from.shape.dims));
    const auto written = static_cast<size_t>(linearize(index, to.shape.dims));
    std::memcpy(to.bytes.data() + written * width,
                from.bytes.data() + read * width,
                static_cast<size_t>(length) * width);
  }
}

Array trimmed(const Array& array, const Ints& sizes) {
  Array result(Shape::array(array.shape.element_type, sizes));
  copy_box(array, result, sizes);
  return result;
}

/// The least sizes of the operands that have the result's dimensions.
void inherit_sizes(Array& result, Operands operands) {
  Ints least = result.shape.dims;
  for (const Array* operand : operands) {
    if (!same_dims(operand->shape, result.shape)) continue;
    const Ints sizes = sizes_of(*operand);
    for (size_t d = 0; d < least.size(); ++d) {
      least[d] = std::min(least[d], sizes[d]);
    }
  }
  set_sizes(result, std::move(least));
}

/// An instruction on arrays of just the sizes that they have.
struct Fitted {
  Instruction instruction;
  std::vector<std::unique_ptr<Instruction>> parameters;  // its operands
  std::vector<Array> operands;

  Fitted(const Instruction& given, Operands arrays) : instruction(given) {
    std::vector<Literal> literals;
    std::vector<Ints> sizes;
    for (const Array* array : arrays) {
      literals.push_back(literal_of(*array));
      sizes.push_back(sizes_of(*array));
    }
    instruction.op->fit({instruction, literals, sizes});
    for (size_t i = 0; i < arrays.size(); ++i) {
      auto parameter = std::make_unique<Instruction>(*given.operands[i]);
      operands.push_back(array_of(literals[i]));
      if (arrays[i]->shape.is_array()) {
        operands[i] = trimmed(operands[i], sizes[i]);
        parameter->shape = operands[i].shape;
      }
      instruction.operands[i] = parameter.get();
      parameters.push_back(std::move(parameter));
    }
    instruction.shape = with_types(inferred(), given.shape);
  }

 private:
  Shape inferred() const {
    try {
      return instruction.op->infer(instruction);
    } catch (const Error& error) {
      throw Error(Phase::kEvaluate, "evaluate.sizes",
                  std::string(instruction.op->name) +
                      " of arrays of the sizes at run time breaks " +
                      error.rule() + ": " + error.message());
    }
  }
};

}  // namespace

Ints sizes_of(const Array& array) {
  return array.sizes.empty() ? array.shape.dims : array.sizes;
}

void set_sizes(Array& array, Ints sizes) {
  if (sizes == array.shape.dims) sizes.clear();
  array.sizes = std::move(sizes);
}

Array cut(const Array& array) { return trimmed(array, sizes_of(array)); }

Array in_bounds(Array value, const Shape& shape) {
  if (shape.is_tuple()) {
    for (size_t i = 0; i < value.elements.size(); ++i) {
      value.elements[i] =
          in_bounds(std::move(value.elements[i]), shape.tuple_shapes[i]);
    }
    value.shape = shape;
    return value;
  }
  Ints sizes = value.shape.dims;
  if (sizes == shape.dims) {
    value.shape = shape;
    return value;
  }
  if (!std::ranges::equal(sizes, shape.dims, std::less_equal{})) {
    throw std::logic_error("an array is larger than its bounds");
  }
  Array result(shape);
  copy_box(value, result, sizes);
  set_sizes(result, std::move(sizes));
  return result;
}

bool is_sized(Operands operands) {
  return std::ranges::any_of(
      operands, [](const Array* operand) { return !operand->sizes.empty(); });
}

Array run_at_sizes(const Instruction& instruction, Operands operands,
                   const RunOne& run_whole) {
  const Op& op = *instruction.op;
  if (op.element != nullptr) {
    Array result = run_whole(instruction, operands);
    inherit_sizes(result, operands);
    return result;
  }
  if (op.takes_sizes || op.control != nullptr) {
    return run_whole(instruction, operands);
  }
  require_evaluable(
      op.fit != nullptr, "evaluate.sizes",
      {op.name, " has an operand that is smaller at run time than its bounds"},
      "the operation must say what it makes of such arrays");
  const Fitted fitted(instruction, operands);
  std::vector<const Array*> places;
  for (const Array& operand : fitted.operands) places.push_back(&operand);
  return in_bounds(run_whole(fitted.instruction, places), instruction.shape);
}

}  // namespace hlo::cpu
