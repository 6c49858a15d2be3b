#include "conformance/literals/short_text.h"

#include <gtest/gtest.h>

#include "interpreter/text/parser.h"
#include "interpreter/text/print_literal.h"

namespace hlo::conformance {
namespace {

Literal counting(std::vector<int64_t> dims) {
  Literal array(Shape::array(ElementType::kS32, std::move(dims)));
  for (int64_t i = 0; i < array.element_count(); ++i) {
    array.set(i, {ElementType::kS32, {static_cast<uint64_t>(i), 0}});
  }
  return array;
}

TEST(ShortText, LeavesOutTheMiddle) {
  EXPECT_EQ(short_text(counting({100}), 60), "{0, 1, 2, ..., 97, 98, 99}");
  EXPECT_EQ(short_text(counting({2, 50}), 80),
            "{ { 0, 1, ..., 48, 49 }, { 50, 51, ..., 98, 99 } }");
}

TEST(ShortText, IsTheWholeTextWhereThatIsShort) {
  for (const auto& dims : {std::vector<int64_t>{}, {0}, {60}, {5, 0, 9}}) {
    const Literal array = counting(dims);
    EXPECT_EQ(short_text(array, 60), text::print(array));
  }
}

// 2^20 corners would be shown of 20 dimensions.
TEST(ShortText, IsShortForManyDimensions) {
  const std::string text =
      short_text(counting(std::vector<int64_t>(20, 2)), 60);
  EXPECT_LT(text.size(), 400) << text;
  EXPECT_NE(text.find("..."), std::string::npos);
}

}  // namespace
}  // namespace hlo::conformance
