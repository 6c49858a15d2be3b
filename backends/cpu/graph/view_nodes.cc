#include "backends/cpu/graph/view_nodes.h"

#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

View sliced(const View& view, const Instruction& slice) {
  View result{slice.shape.dims, view.strides, view.offset};
  const auto& ranges = slice.get<SliceConfig>("slice").dims;
  for (size_t d = 0; d < ranges.size(); ++d) {
    result.offset += ranges[d].start * view.strides[d];
    // A step that is never taken may be too large to multiply.
    if (result.dims[d] > 1) result.strides[d] *= ranges[d].stride;
  }
  return result;
}

std::optional<View> viewed(const View& view, const Instruction& instruction) {
  const std::string_view name = instruction.op->name;
  if (name == "copy") return view;
  if (name == "slice") return sliced(view, instruction);
  if (name == "reshape") return view.reshaped(instruction.shape.dims);
  if (name == "broadcast") {
    return view.broadcast(instruction.get_or<Ints>("dimensions", {}),
                          instruction.shape.dims);
  }
  const Ints& dimensions = instruction.get<Ints>("dimensions");
  return name == "reverse" ? view.reversed(dimensions)
                           : view.permuted(dimensions);
}

bool is_view(std::string_view name) {
  return name == "copy" || name == "slice" || name == "reshape" ||
         name == "broadcast" || name == "reverse" || name == "transpose";
}

}  // namespace

std::optional<Operand> view_node(Graph& graph, const Instruction& instruction,
                                 std::span<Operand* const> operands) {
  if (!is_view(instruction.op->name) || operands.size() != 1) {
    return std::nullopt;
  }
  Operand& from = *operands[0];
  if (graph.values[from.value].shape.element_type !=
      instruction.shape.element_type) {
    return std::nullopt;
  }
  std::optional<View> view = viewed(from.view, instruction);
  if (!view) {
    graph.make_contiguous(from);
    view = viewed(from.view, instruction);
  }
  return Operand{from.value, *std::move(view)};
}

}  // namespace hlo::cpu
