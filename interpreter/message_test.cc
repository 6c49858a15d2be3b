#include "interpreter/message.h"

#include <gtest/gtest.h>

#include "interpreter/error.h"
#include "interpreter/model/shape.h"
#include "interpreter/shortened.h"

namespace hlo {
namespace {

TEST(Message, JoinsWordsNumbersListsAndShapes) {
  const Shape shape = Shape::array(ElementType::kF32, {2, 3});
  const std::vector<int64_t> dimensions = {0, 1};
  EXPECT_EQ(joined({"dimensions is ", dimensions, " of ", shape, ", with ",
                    Count{shape.rank(), "dimension"}}),
            "dimensions is {0,1} of f32[2,3], with 2 dimensions");
}

TEST(Message, ShortensWhatIsLong) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "abc...");
  EXPECT_EQ(shortened("ab\xc3\xa9", 3), "ab...");  // no half of a character
  EXPECT_EQ(shortened("\x80\x80\x80", 2), "...");
  const std::string name(1000, 'x');
  const std::string echo = std::string(kMostEchoed, 'x') + "...";
  EXPECT_EQ(joined({"%", name, " is ", 1}), "%" + echo + " is 1");
  const std::vector<int64_t> ids(1000, 7);
  EXPECT_LT(joined({ids}).size(), 2 * kMostEchoed);
  const Shape tuple =
      Shape::tuple(std::vector<Shape>(1000, Shape::scalar(ElementType::kF32)));
  EXPECT_LT(joined({tuple}).size(), 2 * kMostEchoed);
}

TEST(Message, OfAnErrorIsNeverLong) {
  const std::string name(1'000'000, 'x');
  try {
    refuse(Phase::kVerify, "slice.C3", {name, name, name, name, name},
           "it must be at least 1");
  } catch (const Error& error) {
    EXPECT_LT(error.message().size(), 400U);
    EXPECT_TRUE(error.message().ends_with("..., but it must be at least 1"));
  }
  EXPECT_LT(Error(Phase::kParse, "text.name", name).message().size(), 610U);
}

TEST(Message, PutsWhatWasFoundBeforeTheRule) {
  try {
    require(false, "slice.C3", {"the stride is ", 0}, "it must be at least 1");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "slice.C3: the stride is 0, but it must be at least 1");
  }
}

TEST(Message, AsksForTheTextOnlyWhereTheConditionFails) {
  int calls = 0;
  const auto text = [&] { return std::to_string(++calls); };
  require(true, "slice.C3", {"it is ", text}, "it must be at least 1");
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace hlo
