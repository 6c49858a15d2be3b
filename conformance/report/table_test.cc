#include "conformance/report/table.h"

#include <gtest/gtest.h>

namespace hlo::conformance {
namespace {

Table example() {
  Table table({{.title = "name", .width = 8, .is_text = true},
               {.title = "all", .width = 5},
               {.title = "bad", .width = 5, .rank = 2},
               {.title = "none", .width = 5, .rank = 3},
               {.title = "odd", .width = 5, .rank = 1}});
  table.add({"one", "10", "1", "0", "2"});
  table.add({"threescore", "200", "0", "-", "0"});
  return table;
}

TEST(Table, HasItsColumnsWhereLinesHaveAnyLength) {
  EXPECT_EQ(example().text({}),
            "name         all   bad  none   odd\n"
            "one           10     1     0     2\n"
            "threescore   200     0     -     0\n");
}

TEST(Table, GivesUpRoomThenEmptyColumnsThenThoseOfTheLowestRank) {
  EXPECT_EQ(example().text(30),
            "name       all bad none odd\n"
            "one         10   1    0   2\n"
            "threescore 200   0    -   0\n");
  EXPECT_EQ(example().text(26),
            "name       all bad odd\n"
            "one         10   1   2\n"
            "threescore 200   0   0\n");
  EXPECT_EQ(example().text(18),
            "name       all bad\n"
            "one         10   1\n"
            "threescore 200   0\n");
  EXPECT_EQ(example().text(14),
            "name       all\n"
            "one         10\n"
            "threescore 200\n");
}

TEST(Table, CutsTextsAndThenLines) {
  EXPECT_EQ(example().text(13),
            "name      all\n"
            "one        10\n"
            "threes... 200\n");
  EXPECT_EQ(example().text(5), "na...\non...\nth...\n");
  EXPECT_EQ(example().text(1), ".\n.\n.\n");
}

TEST(Table, CountsCharactersAndNotBytes) {
  EXPECT_EQ(fitted("\u00e4\u00f6\u00fc\u00df\u00e4", 4), "\u00e4...");
  EXPECT_EQ(fitted("\u00e4\u00f6\u00fc\u00df", 4), "\u00e4\u00f6\u00fc\u00df");
  EXPECT_EQ(fitted("abc", {}), "abc");
}

}  // namespace
}  // namespace hlo::conformance
