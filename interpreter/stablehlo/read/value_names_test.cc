#include "interpreter/stablehlo/read/value_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hlo::stablehlo {
namespace {

/// Names with numbers behind them, which have to live as long as the table.
std::vector<std::string> make_names(size_t count) {
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i) names.push_back("a" + std::to_string(i));
  return names;
}

TEST(ValueNames, FindsWhatEachNameStandsFor) {
  const std::vector<std::string> names = make_names(1000);
  ValueNames table;
  EXPECT_EQ(table.find("a0"), nullptr);
  for (size_t i = 0; i < names.size(); ++i) {
    EXPECT_TRUE(table.insert(names[i], {.index = i}));
  }
  EXPECT_FALSE(table.insert("a7", {}));
  for (size_t i = 0; i < names.size(); ++i) {
    ASSERT_NE(table.find(names[i]), nullptr);
    EXPECT_EQ(table.find(names[i])->index, i);
  }
}

TEST(ValueNames, ForgetsTheLastAndKeepsTheFirst) {
  const std::vector<std::string> names = make_names(1000);
  ValueNames table;
  for (size_t round = 0; round < 3; ++round) {
    for (size_t i = table.size(); i < names.size(); ++i) {
      EXPECT_TRUE(table.insert(names[i], {.index = i}));
    }
    table.truncate(100 * round);
    for (size_t i = 0; i < names.size(); ++i) {
      EXPECT_EQ(table.find(names[i]) != nullptr, i < 100 * round);
    }
  }
}

}  // namespace
}  // namespace hlo::stablehlo
