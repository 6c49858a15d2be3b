#include "backends/cpu/arrays/literals.h"

#include <cstring>

namespace hlo::cpu {

Array array_of(const Literal& literal) {
  Array array(literal.shape());
  array.shape.layout.reset();
  for (const Literal& element : literal.elements()) {
    array.elements.push_back(array_of(element));
  }
  if (!array.bytes.empty()) {
    std::memcpy(array.bytes.data(), literal.bytes().data(), array.bytes.size());
  }
  array.sizes = literal.dynamic_sizes();
  return array;
}

Literal literal_of(const Array& array) {
  if (array.shape.is_tuple()) {
    std::vector<Literal> elements;
    for (const Array& element : array.elements) {
      elements.push_back(literal_of(element));
    }
    return Literal::tuple(std::move(elements));
  }
  Literal literal(array.shape);
  if (!array.bytes.empty()) {
    std::memcpy(literal.mutable_bytes().data(), array.bytes.data(),
                array.bytes.size());
  }
  if (!array.sizes.empty()) literal.set_dynamic_sizes(array.sizes);
  return literal;
}

}  // namespace hlo::cpu
