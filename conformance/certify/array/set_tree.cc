#include "conformance/certify/array/set_tree.h"

#include <algorithm>
#include <utility>

#include "conformance/literals/literal_bits.h"
#include "interpreter/rules/sizes/sizes.h"

namespace hlo::conformance {

SetTree SetTree::known(Literal value) {
  SetTree array;
  if (value.shape().is_tuple()) {
    for (const Literal& element : value.elements()) {
      array.elements.push_back(known(element));
    }
    return array;
  }
  array.value = std::move(value);
  return array;
}

SetTree SetTree::nothing(Literal value, std::string why) {
  SetTree array = known(std::move(value));
  if (array.is_tuple()) {
    for (SetTree& element : array.elements) {
      element = nothing(nominal_of(element), why);
    }
  }
  array.unknown = std::move(why);
  return array;
}

bool SetTree::is_unknown() const {
  if (!is_tuple()) return !unknown.empty();
  return std::ranges::any_of(
      elements, [](const SetTree& element) { return element.is_unknown(); });
}

const std::string& SetTree::reason() const {
  if (!is_tuple()) return unknown;
  for (const SetTree& element : elements) {
    if (element.is_unknown()) return element.reason();
  }
  return unknown;
}

bool SetTree::is_known() const {
  if (!is_tuple()) return unknown.empty() && sets.empty();
  return std::ranges::all_of(
      elements, [](const SetTree& element) { return element.is_known(); });
}

Literal nominal_of(const SetTree& array) {
  if (!array.is_tuple()) return array.value;
  std::vector<Literal> elements;
  for (const SetTree& element : array.elements) {
    elements.push_back(nominal_of(element));
  }
  return Literal::tuple(std::move(elements));
}

SetTree element_of(const SetTree& array, int64_t i) {
  SetTree element = SetTree::known(Literal::of(array.value.at(i)));
  if (!array.sets.empty()) element.sets = {array.at(i)};
  return element;
}

SetTree united(const SetTree& a, const SetTree& b) {
  SetTree both = a;
  if (a.is_tuple()) {
    for (size_t k = 0; k < a.elements.size(); ++k) {
      both.elements[k] = united(a.elements[k], b.elements[k]);
    }
    return both;
  }
  if (a.is_unknown() || b.is_unknown()) {
    return SetTree::nothing(a.value, a.is_unknown() ? a.unknown : b.unknown);
  }
  if (!a.value.shape().is_array()) return both;
  if (sizes_of(a.value) != sizes_of(b.value)) {
    return SetTree::nothing(a.value, "its sizes at run time are not certain");
  }
  if (a.is_known() && b.is_known() && identical(a.value, b.value)) {
    return both;
  }
  if (is_complex(a.value.type())) {
    return SetTree::nothing(a.value, "complex values differ");
  }
  both.sets.clear();
  for (int64_t i = 0; i < a.value.element_count(); ++i) {
    both.sets.push_back(a.at(i));
    both.sets.back().add(b.at(i));
  }
  return both;
}

SetTree simplified(SetTree array) {
  const SetTree known = SetTree::known(array.value);
  const int parts = components(array.value.type());
  for (int64_t i = 0; i < array.value.element_count(); ++i) {
    for (int part = 0; part < parts; ++part) {
      if (!(array.at(i, part) == known.at(i, part))) return array;
    }
  }
  return known;
}

std::vector<const SetTree*> array_leaves_of(const SetTree& array) {
  if (!array.is_tuple()) {
    if (!array.value.shape().is_array()) return {};
    return {&array};
  }
  std::vector<const SetTree*> leaves;
  for (const SetTree& element : array.elements) {
    const auto inner = array_leaves_of(element);
    leaves.insert(leaves.end(), inner.begin(), inner.end());
  }
  return leaves;
}

}  // namespace hlo::conformance
