#include "conformance/judge/prepared_case.h"

#include <gtest/gtest.h>

#include "interpreter/text/parser.h"

namespace hlo::conformance {
namespace {

TEST(SameOutcome, LooksAtTheElementsThatExist) {
  const Literal one = text::parse_literal_with_shape("s32[<=4](1) {2}");
  const Literal two = text::parse_literal_with_shape("s32[<=4](2) {2, 0}");
  const Scalar nine{.type = ElementType::kS32, .bits = {9, 0}};
  const auto same = [](const Literal& a, const Literal& b) {
    return same_outcome(std::vector<Literal>{a}, std::vector<Literal>{b});
  };
  Literal other = one;
  other.set(3, nine);
  EXPECT_TRUE(same(one, other));
  EXPECT_FALSE(same(one, two));
  other.set(0, nine);
  EXPECT_FALSE(same(one, other));
}

}  // namespace
}  // namespace hlo::conformance
