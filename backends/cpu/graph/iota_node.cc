#include "backends/cpu/graph/iota_node.h"

#include <cstring>
#include <memory>

#include "backends/cpu/functions/sequences/iota_numbers.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

/// Writes 0, 1, ... as an array of one dimension.
Routine counting(const Shape& line) {
  return Routine{[line](auto, auto results) {
    const auto bytes = static_cast<size_t>(line.element_count()) *
                       static_cast<size_t>(storage_bytes(line.element_type));
    const ResultPlace place({results[0], bytes});
    const Array numbers = iota_numbers(line, 0);
    if (numbers.bytes.data() != results[0]) {
      std::memcpy(results[0], numbers.bytes.data(), bytes);
    }
  }};
}

}  // namespace

std::optional<Operand> iota_node(Graph& graph, const Instruction& instruction) {
  if (instruction.op->name != "iota") return std::nullopt;
  const Shape& shape = instruction.shape;
  const auto d = instruction.get<int64_t>("iota_dimension");
  const Shape line =
      Shape::array(shape.element_type, {shape.dims[static_cast<size_t>(d)]});
  Node node;
  node.kind = NodeKind::kRoutine;
  node.instruction = &instruction;
  node.routine = std::make_shared<const Routine>(counting(line));
  Operand numbers = graph.add_node(std::move(node), line);
  numbers.view = numbers.view.broadcast(std::span(&d, 1), shape.dims);
  return numbers;
}

}  // namespace hlo::cpu
