#pragma once

#include <string>
#include <string_view>

#include "interpreter/model/module.h"

namespace hlo::conformance {

/// One element of an instruction's result.
struct Element {
  const Instruction* instruction = nullptr;
  Ints tuple_index = {};  // of the array in a tuple
  Index index = {};
};

/// The element that the text names (spec/explain.md): "%name{0}[1,2]"; what is
/// left out are zeros, and the root of the entry computation. Evaluate errors
/// "explain.element", "explain.name", "explain.tuple", "explain.index".
Element parse_element(std::string_view text, const Module& module);

/// "%name{0}[1,2]".
std::string element_name(const Instruction& instruction,
                         const Ints& tuple_index, const Index& index);

/// The shape, or the value, of an array in a tuple.
const Shape& part_of(const Shape& shape, const Ints& tuple_index);
const Literal& part_of(const Literal& literal, const Ints& tuple_index);

}  // namespace hlo::conformance
