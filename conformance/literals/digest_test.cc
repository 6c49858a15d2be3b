#include "conformance/literals/digest.h"

#include <gtest/gtest.h>

#include "conformance/literals/content_hash.h"

namespace hlo::conformance {
namespace {

TEST(Digest, Sha256IsThatOfTheStandard) {
  EXPECT_EQ(sha256("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Digest, TheShapeAndTheElementsAreHashed) {
  const Literal literal = Literal::splat(Shape::array(ElementType::kU8, {3}),
                                         {ElementType::kU8, {0x61}});
  EXPECT_EQ(digest(literal), sha256("u8[3]\naaa"));
}

TEST(Digest, LayoutsDoNotCount) {
  Shape column = Shape::array(ElementType::kS32, {2, 2});
  const Literal row(column);
  column.layout = default_layout(2);
  column.layout->minor_to_major = {0, 1};
  EXPECT_EQ(digest(Literal(column)), digest(row));
}

TEST(Digest, OfDynamicArraysTheElementsThatExistAreHashed) {
  Shape shape = Shape::array(ElementType::kU8, {3});
  shape.set_dynamic(0, true);
  Literal literal = Literal::splat(shape, {ElementType::kU8, {0x61}});
  literal.set_dynamic_sizes({2});
  EXPECT_EQ(digest(literal), sha256("u8[2]\naa"));
}

}  // namespace
}  // namespace hlo::conformance
