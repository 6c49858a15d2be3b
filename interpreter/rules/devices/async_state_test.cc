#include "interpreter/rules/devices/async_state.h"

#include <gtest/gtest.h>

#include "interpreter/text/parser.h"

namespace hlo {
namespace {

using text::parse_shape;

// A mark of a dynamic size is on either side, or on both.
TEST(AsyncState, WrapsACopyWhateverIsDynamic) {
  const Shape fixed = parse_shape("f32[2]");
  EXPECT_TRUE(wraps_copy(parse_shape("((f32[2]), f32[2], u32[])"), fixed));
  EXPECT_TRUE(wraps_copy(parse_shape("((f32[<=2]), f32[2], u32[])"), fixed));
  EXPECT_TRUE(wraps_copy(parse_shape("((f32[2]), f32[<=2], u32[])"), fixed));
  EXPECT_FALSE(wraps_copy(parse_shape("((f32[3]), f32[2], u32[])"), fixed));
  EXPECT_FALSE(wraps_copy(parse_shape("((f32[2]), f32[3], u32[])"), fixed));
  EXPECT_FALSE(wraps_copy(parse_shape("((f32[2]))"), fixed));
}

}  // namespace
}  // namespace hlo
