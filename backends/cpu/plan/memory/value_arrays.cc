#include "backends/cpu/plan/memory/value_arrays.h"

#include <cstring>
#include <stdexcept>

namespace hlo::cpu {

Array copied(const Shape& shape, const ValueMemory& memory,
             const Operand& leaf) {
  Array array = Array::unwritten(shape);
  if (!array.bytes.empty()) {
    const auto offset = static_cast<size_t>(leaf.view.offset) * array.width();
    std::memcpy(array.bytes.data(), memory.memory(leaf.value) + offset,
                array.bytes.size());
  }
  return array;
}

Array assembled(const Shape& shape, const ValueMemory& memory,
                const std::vector<Operand>& leaves, size_t& next) {
  if (!shape.is_tuple()) {
    Shape own = shape;
    own.layout.reset();
    return copied(own, memory, leaves[next++]);
  }
  Array tuple(shape);
  for (const Shape& element : shape.tuple_shapes) {
    tuple.elements.push_back(assembled(element, memory, leaves, next));
  }
  return tuple;
}

void store(const Array& array, const Graph& graph, const ValueMemory& memory,
           const std::vector<size_t>& values, size_t& next) {
  if (array.shape.is_tuple()) {
    for (const Array& element : array.elements) {
      store(element, graph, memory, values, next);
    }
    return;
  }
  const size_t value = values.at(next++);
  if (array.bytes.size() != graph.values[value].bytes) {
    throw std::logic_error("a function returned another size");
  }
  if (array.bytes.empty()) return;
  std::memcpy(memory.place(value), array.bytes.data(), array.bytes.size());
}

}  // namespace hlo::cpu
