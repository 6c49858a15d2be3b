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

namespace {

/// As copied, but where it lies.
Array lent(const Shape& shape, const ValueMemory& memory, const Operand& leaf) {
  Array array;
  array.shape = shape;
  if (!shape.is_array()) return array;
  const size_t size = static_cast<size_t>(array.count()) * array.width();
  if (size == 0) return array;
  const auto offset = static_cast<size_t>(leaf.view.offset) * array.width();
  // Operands are constant: nobody writes to them.
  auto* const bytes = const_cast<std::byte*>(memory.memory(leaf.value));
  array.bytes = Bytes::lent(bytes + offset, size,
                            [](std::byte* /*memory*/, size_t /*size*/) {});
  return array;
}

}  // namespace

Array assembled(const Shape& shape, const ValueMemory& memory,
                const std::vector<Operand>& leaves, size_t& next) {
  if (!shape.is_tuple()) {
    Shape own = shape;
    own.layout.reset();
    return lent(own, memory, leaves[next++]);
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
  std::byte* const place = array.bytes.empty() ? nullptr : memory.place(value);
  // A function may have written it there.
  if (place == array.bytes.data()) return;
  std::memcpy(place, array.bytes.data(), array.bytes.size());
}

}  // namespace hlo::cpu
