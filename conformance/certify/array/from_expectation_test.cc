#include "conformance/certify/array/from_expectation.h"

#include <gtest/gtest.h>

#include "conformance/literals/literal_bits.h"

namespace hlo::conformance {
namespace {

TEST(FromExpectation, KeepsTheRuleOfNan) {
  const Literal nan = parse_bits("f32[2] 7fc00000 3f800000");
  EXPECT_TRUE(from_expectation(ArraySet::moved(nan), nan).is_known());
  const SetTree any = from_expectation(ArraySet::computed(nan), nan);
  EXPECT_FALSE(any.is_known());
  EXPECT_EQ(any.at(0), ArraySet::computed(nan).at(0));
  const Literal one = parse_bits("f32[] 3f800000");
  EXPECT_TRUE(from_expectation(ArraySet::computed(one), one).is_known());
}

TEST(FromExpectation, KnowsNothingOfComplexValuesThatDiffer) {
  const Literal value = parse_bits("c64[] 3f800000:3f800000");
  ArraySet set = ArraySet::computed(value);
  EXPECT_TRUE(from_expectation(set, value).is_known());
  set.put(0, 1, ValueSet::range(0, 1));
  EXPECT_TRUE(from_expectation(set, value).is_unknown());
}

TEST(FromExpectation, SaysWhyNothingIsKnown) {
  const Literal value = parse_bits("f32[] 3f800000");
  EXPECT_EQ(from_expectation(UnspecifiedSet{"why"}, value).reason(), "why");
}

}  // namespace
}  // namespace hlo::conformance
