#include "interpreter/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace hlo {
namespace {

const std::vector<std::string> kNames = {"check", "compare", "cpu:", "not",
                                         "multiply"};

TEST(Nearest, FindsWhatOneSlipMadeOfAName) {
  EXPECT_EQ(nearest("chekc", kNames), "check");       // swapped
  EXPECT_EQ(nearest("chck", kNames), "check");        // left out
  EXPECT_EQ(nearest("compaare", kNames), "compare");  // put in
  EXPECT_EQ(nearest("cpi:", kNames), "cpu:");         // changed
  EXPECT_EQ(nearest("mul", kNames), "multiply");      // begun
}

TEST(Nearest, FindsNothingForWhatIsLikeNoName) {
  for (const char* text : {"", "frobnicate", "x", "0", "zzz"}) {
    EXPECT_EQ(nearest(text, kNames), "") << text;
  }
  EXPECT_EQ(nearest(std::string(1'000'000, 'c'), kNames), "");
  EXPECT_EQ(nearest("check", {}), "");
}

TEST(Nearest, IsTheLeastDistance) {
  const std::vector<std::string> names = {"abcdxx", "abcdex", "abcdef"};
  EXPECT_EQ(nearest("abcdeg", names), "abcdex");  // the first of two at 1
  EXPECT_EQ(nearest("abcdff", names), "abcdef");
}

TEST(Nearest, Suggests) {
  EXPECT_EQ(suggestion("cpi:", kNames), " (did you mean cpu:?)");
  EXPECT_EQ(suggestion("frob", kNames), "");
}

}  // namespace
}  // namespace hlo
