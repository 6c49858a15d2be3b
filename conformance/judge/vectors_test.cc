#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "conformance/case/case_files.h"
#include "conformance/case/case_program.h"
#include "conformance/expect/expect_module.h"
#include "conformance/judge/golden.h"
#include "conformance/sets/value_set.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {
namespace {

TEST(Vectors, HoldOnTheReference) {
  const std::string folder =
      std::string(ASSAY_SOURCE_DIR) + "/conformance/vectors";
  for (const std::string& file : case_files({folder})) {
    if (!file.ends_with(".jsonl")) continue;
    for (const Case& c : load_cases(file)) {
      const std::string problem = verify_golden(c);
      EXPECT_EQ(problem, "") << c.file << ":" << c.line << ": " << c.id;
    }
  }
}

/// Whether the module is one real function of its parameters.
bool is_real_function(const Module& module) {
  const Instruction& root = *module.entry->root;
  return root.op->accuracy.kind == Accuracy::Kind::kRounded &&
         is_float(root.shape.element_type) &&
         std::ranges::all_of(root.operands, [](const Instruction* operand) {
           return operand->parameter_number >= 0;
         });
}

/// Whether the first set is the second one, or wider at an end by so many
/// codes.
bool agree(const ValueSet& wide, const ValueSet& set, Place slack) {
  if (wide == set || slack == 0) return wide == set;
  return wide.has_nan() == set.has_nan() && wide.low() <= set.low() &&
         wide.high() >= set.high() && wide.low() >= set.low() - slack &&
         wide.high() <= set.high() + slack;
}

// The generators make the sets of real functions from exact values of their
// own.
TEST(Vectors, StateTheSetsThatFollow) {
  int64_t compared = 0;
  for (const std::string& file :
       case_files({std::string(ASSAY_SOURCE_DIR) + "/conformance/vectors"})) {
    if (!file.ends_with(".jsonl")) continue;
    for (const Case& c : load_cases(file)) {
      const auto* stated = std::get_if<ArraySet>(c.expect.data());
      if (stated == nullptr || stated->sets.empty()) continue;
      const Module module = case_module(c);
      if (!is_real_function(module)) continue;
      const auto sets = expect_module(module, c.inputs);
      for (int64_t i = 0; i < stated->value.element_count(); ++i, ++compared) {
        const ValueSet follows = std::get<ArraySet>(sets.at(0)).at(i);
        const ElementType type = stated->value.type();
        // The reference knows 53 bits of digamma's value: that may let one
        // code more in at an end.
        const int slack = c.id.find("digamma") == std::string::npos ? 0 : 1;
        EXPECT_TRUE(agree(follows, stated->at(i), slack))
            << c.id << ": element " << i << " is " << describe(follows, type)
            << ", and stated is " << describe(stated->at(i), type);
      }
    }
  }
  EXPECT_GT(compared, 10000);
}

}  // namespace
}  // namespace hlo::conformance
