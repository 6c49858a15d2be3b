#include <gtest/gtest.h>

#include "interpreter/rules/op.h"

namespace hlo::conformance {
namespace {

// ElementRule::applies_to() does not ask: an operation that is neither would be
// judged by a rule that it does not have.
TEST(ElementOperations, AreExactOrRounded) {
  for (const Op* op : all_ops()) {
    if (op->element == nullptr) continue;
    EXPECT_TRUE(op->accuracy.kind == Accuracy::Kind::kExact ||
                op->accuracy.kind == Accuracy::Kind::kRounded)
        << op->name;
  }
}

}  // namespace
}  // namespace hlo::conformance
