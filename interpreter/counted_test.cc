#include "interpreter/counted.h"

#include <gtest/gtest.h>

namespace hlo {
namespace {

TEST(Counted, ChoosesTheWordByTheNumber) {
  EXPECT_EQ(counted(1, "element"), "1 element");
  EXPECT_EQ(counted(0, "element"), "0 elements");
  EXPECT_EQ(counted(2, "element"), "2 elements");
  EXPECT_EQ(counted(1, "leaf", "leaves"), "1 leaf");
  EXPECT_EQ(counted(2, "leaf", "leaves"), "2 leaves");
}

}  // namespace
}  // namespace hlo
