#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/shrink/shrink.h"
#include "conformance/shrink/testing/faulty_backend.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

void spoil(std::vector<Literal>& results) {
  Scalar element = results[0].at(0);
  element.bits[0] ^= 0x800000;
  results[0].set(0, element);
}

Program reshaped() {
  std::string values;
  for (int i = 1; i <= 64; ++i)
    values += (i == 1 ? "" : ",") + std::to_string(i);
  Edit edit(
      {.hlo = R"(ENTRY e { x = f32[64] parameter(0)
                                 ROOT r = f32[4,16] reshape(x) })",
       .inputs = {text::parse_literal_with_shape("f32[64] {" + values + "}")}});
  return edit.finish();
}

// No dimension of the one array is one of the other, so that none can become
// smaller by itself.
TEST(FewElements, ChangeTheArraysOfAReshapeTogether) {
  const auto spoils = [](const Module& module, std::vector<Literal>& results) {
    if (has(module, "reshape")) spoil(results);
  };
  const Shrunk shrunk = shrink(reshaped(), faulty(spoils), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(shrunk.after.elements, 1) << shrunk.smallest.program.hlo;
}

// The windows are of two dimensions, and the updates as many as they have
// places: the arrays keep their dimensions, and change together.
TEST(FewElements, AreOneElementOfAllDimensionsWhereAttributesHaveThese) {
  Edit edit({.hlo = R"(
s { a = s32[] parameter(0) b = s32[] parameter(1)
    ROOT c = pred[] compare(a, b), direction=GE }
f { a = s32[] parameter(0) ROOT b = s32[] parameter(1) }
ENTRY e { x = s32[5,5] parameter(0) y = s32[3,3] parameter(1)
          z = s32[] parameter(2)
          ROOT r = s32[5,5] select-and-scatter(x, y, z),
            window={size=1x1 stride=2x2}, select=s, scatter=f })",
             .inputs = {Literal(Shape::array(ElementType::kS32, {5, 5})),
                        Literal(Shape::array(ElementType::kS32, {3, 3})),
                        Literal(Shape::array(ElementType::kS32, {}))}});
  const auto spoils = [](const Module& module, std::vector<Literal>& results) {
    if (has(module, "select-and-scatter")) spoil(results);
  };
  const Shrunk shrunk = shrink(edit.finish(), faulty(spoils), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(shrunk.after.elements, 1) << shrunk.smallest.program.hlo;
}

TEST(FewElements, LieInTilesWhereThatIsWhatFails) {
  const auto spoils = [](const Module& module, std::vector<Literal>& results) {
    const Shape& x = module.entry->parameters[0]->shape;
    const bool is_large = x.element_count() >= 64;
    const bool is_tiled = x.layout && !x.layout->tiles.empty();
    if (is_large || is_tiled) spoil(results);
  };
  const Shrunk shrunk = shrink(reshaped(), faulty(spoils), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_LE(shrunk.after.elements, 2) << shrunk.smallest.program.hlo;
  EXPECT_NE(shrunk.smallest.program.hlo.find("T("), std::string::npos);
}

// Zeros fail nowhere: what fails are elements that are not alike.
TEST(FewElements, HaveOtherValuesWhereTheirsDoNotFail) {
  const auto spoils = [](const Module& module, std::vector<Literal>& results) {
    const Literal& result = results[0];
    if (!has(module, "reshape")) return;
    if (result.element_count() < 64) {
      bool differ = result.element_count() > 1;
      for (int64_t i = 1; i < result.element_count(); ++i) {
        differ = differ && result.at(i) != result.at(i - 1);
      }
      if (!differ) return;
    }
    spoil(results);
  };
  Program start = reshaped();
  for (int64_t i = 0; i < 63; ++i) {
    start.inputs[0].set(i, start.inputs[0].at(63));
  }
  const Shrunk shrunk = shrink(start, faulty(spoils), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_LE(shrunk.after.elements, 2) << shrunk.smallest.program.hlo;
}

}  // namespace
}  // namespace hlo::conformance
