#include "interpreter/message.h"

#include <gtest/gtest.h>

#include "interpreter/error.h"
#include "interpreter/model/shape.h"

namespace hlo {
namespace {

TEST(Message, JoinsWordsNumbersListsAndShapes) {
  const Shape shape = Shape::array(ElementType::kF32, {2, 3});
  const std::vector<int64_t> dimensions = {0, 1};
  EXPECT_EQ(joined({"dimensions is ", dimensions, " of ", shape, ", with ",
                    Count{shape.rank(), "dimension"}}),
            "dimensions is {0,1} of f32[2,3], with 2 dimensions");
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
