#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/explain/explain.h"
#include "conformance/explain/recording/element.h"
#include "conformance/literals/literal_bits.h"

// What the tests of explanations share; no program includes it.
namespace hlo::conformance {

/// The facts that an explanation states beside its text agree.
inline void check_facts(const Explanation& explanation) {
  EXPECT_TRUE(explanation.steps_agree) << explanation.text;
  if (explanation.copied) {
    EXPECT_EQ(print_bits(explanation.copied->from),
              print_bits(explanation.copied->to))
        << explanation.text;
  }
  for (const Explanation::Computed& part : explanation.computed) {
    EXPECT_EQ(part.stated, part.result) << explanation.text;
  }
}

/// The tuple indices of the arrays of a shape, behind `list`.
inline void add_arrays(const Shape& shape, const Ints& list,
                       std::vector<Ints>& arrays) {
  if (shape.is_array()) arrays.push_back(list);
  for (size_t i = 0; i < shape.tuple_shapes.size(); ++i) {
    Ints inner = list;
    inner.push_back(static_cast<int64_t>(i));
    add_arrays(shape.tuple_shapes[i], inner, arrays);
  }
}

/// The element with the name of its computation: "main/x[1,2]".
inline std::string full_name(const Instruction& instruction, const Ints& list,
                             const Index& index) {
  return instruction.parent->name + "/" +
         element_name(instruction, list, index).substr(1);
}

}  // namespace hlo::conformance
