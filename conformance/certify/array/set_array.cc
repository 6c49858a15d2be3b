#include "conformance/certify/array/set_array.h"

#include <algorithm>
#include <utility>

namespace hlo::conformance {

SetArray SetArray::known(Literal nominal) {
  SetArray array;
  if (nominal.shape().is_tuple()) {
    for (const Literal& element : nominal.elements()) {
      array.elements.push_back(known(element));
    }
  }
  array.nominal = std::move(nominal);
  return array;
}

SetArray SetArray::nothing(Literal nominal, std::string why) {
  SetArray array = known(std::move(nominal));
  if (array.is_tuple()) {
    for (SetArray& element : array.elements) {
      element = nothing(element.nominal, why);
    }
  }
  array.unknown = std::move(why);
  return array;
}

bool SetArray::is_unknown() const {
  if (!is_tuple()) return !unknown.empty();
  return std::ranges::any_of(
      elements, [](const SetArray& element) { return element.is_unknown(); });
}

const std::string& SetArray::reason() const {
  if (!is_tuple()) return unknown;
  for (const SetArray& element : elements) {
    if (element.is_unknown()) return element.reason();
  }
  return unknown;
}

bool SetArray::is_known() const {
  if (!is_tuple()) return unknown.empty() && sets.empty();
  return std::ranges::all_of(
      elements, [](const SetArray& element) { return element.is_known(); });
}

ValueSet SetArray::at(int64_t i) const {
  if (!sets.empty()) return sets[static_cast<size_t>(i)];
  return ValueSet::of(nominal.at(i).bits[0], nominal.type());
}

Literal nominal_of(const SetArray& array) {
  if (!array.is_tuple()) return array.nominal;
  std::vector<Literal> elements;
  for (const SetArray& element : array.elements) {
    elements.push_back(nominal_of(element));
  }
  return Literal::tuple(std::move(elements));
}

SetArray element_of(const SetArray& array, int64_t i) {
  SetArray element = SetArray::known(Literal::of(array.nominal.at(i)));
  if (!array.sets.empty()) element.sets = {array.at(i)};
  return element;
}

SetArray united(const SetArray& a, const SetArray& b) {
  SetArray both = a;
  if (a.is_tuple()) {
    for (size_t k = 0; k < a.elements.size(); ++k) {
      both.elements[k] = united(a.elements[k], b.elements[k]);
    }
    return both;
  }
  if (a.is_unknown() || b.is_unknown()) {
    return SetArray::nothing(a.nominal, a.is_unknown() ? a.unknown : b.unknown);
  }
  if (!a.nominal.shape().is_array()) return both;
  if (a.is_known() && b.is_known() && identical(a.nominal, b.nominal)) {
    return both;
  }
  if (is_complex(a.nominal.type())) {
    return SetArray::nothing(a.nominal, "complex values differ");
  }
  both.sets.clear();
  for (int64_t i = 0; i < a.nominal.element_count(); ++i) {
    both.sets.push_back(a.at(i));
    both.sets.back().add(b.at(i));
  }
  return both;
}

SetArray simplified(SetArray array) {
  const auto is_nominal = [&](int64_t i) {
    return array.sets[static_cast<size_t>(i)] ==
           ValueSet::of(array.nominal.at(i).bits[0], array.nominal.type());
  };
  for (int64_t i = 0; i < std::ssize(array.sets); ++i) {
    if (!is_nominal(i)) return array;
  }
  array.sets.clear();
  return array;
}

std::vector<const SetArray*> array_leaves_of(const SetArray& array) {
  if (!array.is_tuple()) {
    if (!array.nominal.shape().is_array()) return {};
    return {&array};
  }
  std::vector<const SetArray*> leaves;
  for (const SetArray& element : array.elements) {
    const auto inner = array_leaves_of(element);
    leaves.insert(leaves.end(), inner.begin(), inner.end());
  }
  return leaves;
}

}  // namespace hlo::conformance
