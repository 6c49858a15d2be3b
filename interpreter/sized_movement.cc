#include "interpreter/sized_movement.h"

#include <algorithm>
#include <array>
#include <memory>

#include "interpreter/evaluate.h"
#include "interpreter/movement.h"

namespace hlo {
namespace {

/// Copies the elements whose indices are below `sizes`.
Literal copied(const Literal& from, const Ints& sizes, const Shape& shape) {
  Literal to(shape);
  if (std::ranges::count(sizes, 0) > 0) return to;
  const Block block{.axes =
                        make_axes(sizes, row_major_strides(from.shape().dims),
                                  row_major_strides(shape.dims))};
  // Operand 1 is what the block leaves.
  const std::array<Literal, 2> operands = {from, std::move(to)};
  return apply(Movement{.fill_operand = 1, .blocks = {block}}, shape, operands,
               Evaluator());
}

Ints sizes_of(const Literal& literal) {
  return literal.dynamic_sizes().empty() ? literal.shape().dims
                                         : literal.dynamic_sizes();
}

/// The array of the elements whose indices are below `sizes`.
Literal trimmed(const Literal& literal, const Ints& sizes) {
  if (sizes == literal.shape().dims) return literal;
  return copied(literal, sizes, Shape::array(literal.type(), sizes));
}

/// The sizes that the operands have at run time. Those that are joined have
/// the least of their sizes in the other dimensions.
std::vector<Ints> operand_sizes(const Instruction& instruction,
                                Operands operands) {
  std::vector<Ints> sizes;
  for (const Literal& operand : operands) sizes.push_back(sizes_of(operand));
  if (instruction.op->name != "concatenate") return sizes;
  const auto joined =
      static_cast<size_t>(instruction.get<Ints>("dimensions")[0]);
  Ints least = sizes[0];
  for (const Ints& other : sizes) {
    std::ranges::transform(least, other, least.begin(),
                           [](int64_t a, int64_t b) { return std::min(a, b); });
  }
  for (Ints& other : sizes) {
    const int64_t size = other[joined];
    other = least;
    other[joined] = size;
  }
  return sizes;
}

/// The same instruction on parameters of the operands' shapes.
struct OnOperands {
  Instruction instruction;
  std::vector<std::unique_ptr<Instruction>> parameters;

  OnOperands(const Instruction& original, const std::vector<Ints>& sizes)
      : instruction(original) {
    for (size_t i = 0; i < sizes.size(); ++i) {
      parameters.push_back(
          std::make_unique<Instruction>(*original.operands[i]));
      Shape& shape = parameters.back()->shape;
      shape = Shape::array(shape.element_type, sizes[i]);
      instruction.operands[i] = parameters.back().get();
    }
  }

  template <typename T>
  void change(std::string_view attribute, const T& value) {
    for (auto& [name, old] : instruction.attributes) {
      if (name == attribute) old = value;
    }
  }
};

/// What lies beyond the sizes is not there to be taken.
void adapt_slice(OnOperands& on, const Ints& sizes) {
  auto slices = on.instruction.get<SliceConfig>("slice");
  for (size_t d = 0; d < sizes.size(); ++d) {
    SliceDimension& range = slices.dims[d];
    range.limit = std::min(range.limit, sizes[d]);
    range.start = std::min(range.start, range.limit);
  }
  on.change("slice", slices);
}

/// Where more is to be cut off than there is, nothing is left.
void adapt_padding(OnOperands& on, const Ints& sizes) {
  auto padding = on.instruction.get<PaddingConfig>("padding");
  for (size_t d = 0; d < sizes.size(); ++d) {
    PaddingDimension& edges = padding.dims[d];
    const int64_t gaps = std::max<int64_t>(sizes[d] - 1, 0);
    // At the bound the sum is not negative: it does not overflow here.
    const int64_t size =
        sizes[d] + gaps * edges.interior + edges.low + edges.high;
    edges.high -= std::min<int64_t>(size, 0);
  }
  on.change("padding", padding);
}

/// Attributes and shapes that say sizes say those at run time.
void adapt(OnOperands& on, const Literal& operand) {
  Instruction& instruction = on.instruction;
  const Ints& sizes = operand.shape().dims;
  if (instruction.op->name == "slice") {
    adapt_slice(on, sizes);
  } else if (instruction.op->name == "pad") {
    adapt_padding(on, sizes);
  } else if (instruction.op->name == "broadcast") {
    const Ints dimensions = instruction.get_or<Ints>("dimensions", {});
    for (size_t d = 0; d < dimensions.size(); ++d) {
      instruction.shape.dims[static_cast<size_t>(dimensions[d])] = sizes[d];
    }
  }
  instruction.shape = instruction.op->infer(instruction);
}

/// The movement between arrays of the sizes at run time.
struct SizedMovement {
  std::vector<Literal> arrays;
  OnOperands on;
  Movement movement;

  SizedMovement(const Instruction& instruction, Operands operands)
      : SizedMovement(instruction, operands,
                      operand_sizes(instruction, operands)) {}

  const Shape& shape() const { return on.instruction.shape; }

 private:
  SizedMovement(const Instruction& instruction, Operands operands,
                const std::vector<Ints>& sizes)
      : on(instruction, sizes) {
    for (size_t i = 0; i < operands.size(); ++i) {
      arrays.push_back(trimmed(operands[i], sizes[i]));
    }
    adapt(on, arrays[0]);
    movement = instruction.op->movement(on.instruction, arrays);
  }
};

/// The arrays with the sizes of `shape`, and zeros past them.
Literal with_sizes(const Literal& value, const Shape& shape) {
  if (!shape.is_tuple()) {
    if (shape.dims == value.shape().dims) return value;
    Literal result = copied(value, shape.dims, value.shape());
    result.set_dynamic_sizes(shape.dims);
    return result;
  }
  std::vector<Literal> elements;
  for (size_t i = 0; i < shape.tuple_shapes.size(); ++i) {
    elements.push_back(with_sizes(value.elements()[i], shape.tuple_shapes[i]));
  }
  return Literal::tuple(std::move(elements));
}

}  // namespace

bool moves_at_sizes(const Instruction& instruction, Operands operands) {
  static constexpr std::string_view kNames[] = {
      "broadcast", "concatenate", "pad", "reverse", "slice", "transpose"};
  return instruction.op->movement != nullptr &&
         std::ranges::any_of(operands,
                             [](const Literal& operand) {
                               return !operand.dynamic_sizes().empty();
                             }) &&
         std::ranges::find(kNames, instruction.op->name) != std::end(kNames);
}

Literal move_at_sizes(const Instruction& instruction, Operands operands,
                      Evaluator& evaluator) {
  const SizedMovement sized(instruction, operands);
  const Literal moved =
      apply(sized.movement, sized.shape(), sized.arrays, evaluator);
  const Ints& sizes = moved.shape().dims;
  Literal result = copied(moved, sizes, instruction.shape);
  result.set_dynamic_sizes(sizes);
  return result;
}

std::optional<Source> source_at_sizes(const Instruction& instruction,
                                      Operands operands, int64_t position) {
  const SizedMovement sized(instruction, operands);
  const Index index = delinearize(position, instruction.shape.dims);
  if (!sized.shape().contains(index)) return std::nullopt;
  Source source = source_of(sized.movement, sized.shape(), sized.arrays,
                            linearize(index, sized.shape().dims));
  if (source.operand == Movement::kZeros) return source;
  const auto k = static_cast<size_t>(source.operand);
  source.position =
      linearize(delinearize(source.position, sized.arrays[k].shape().dims),
                operands[k].shape().dims);
  return source;
}

Literal fold_at_sizes(const Instruction& instruction, Operands operands,
                      Literal result) {
  if (operands[0].dynamic_sizes().empty()) return result;
  std::vector<Ints> sizes;
  for (size_t i = 0; i < operands.size(); ++i) {
    const bool is_input = i < operands.size() / 2;
    sizes.push_back(is_input ? operands[0].dynamic_sizes() : Ints{});
  }
  const OnOperands on(instruction, sizes);
  return with_sizes(result, on.instruction.op->infer(on.instruction));
}

}  // namespace hlo
