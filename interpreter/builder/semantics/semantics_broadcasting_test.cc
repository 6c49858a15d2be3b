// The document "Broadcasting" in its two editions: what Add of the builder
// makes of each of its examples.
#include "interpreter/builder/testing/builder_case.h"

namespace hlo::builder {
namespace {

XlaOp matrix(XlaBuilder* b) {
  return ConstantR2<float>(b, {{1, 2, 3}, {4, 5, 6}});
}

/// The shape of the sum of two arrays of these sizes.
std::string sum_of(const Ints& lhs, const Ints& rhs,
                   const Ints& broadcast_dimensions) {
  XlaBuilder b("sum");
  const XlaOp x = Parameter(&b, 0, Shape::array(ElementType::kF32, lhs), "x");
  const XlaOp y = Parameter(&b, 1, Shape::array(ElementType::kF32, rhs), "y");
  try {
    const XlaOp sum = Add(x, y, broadcast_dimensions);
    program(sum);
    return shape_text(sum);
  } catch (const Error& error) {
    return error.rule();
  }
}

TEST(Broadcasting, WhatIsBroadcasting) {
  XlaBuilder b("broadcasting");
  EXPECT_EQ(value(Add(matrix(&b), ConstantR1<float>(&b, {7, 8, 9}), {1})),
            literal("f32[2,3] {{8, 10, 12}, {11, 13, 15}}"));
}

TEST(Broadcasting, ScalarOntoAnArray) {
  XlaBuilder b("scalar");
  EXPECT_EQ(value(Add(matrix(&b), ConstantR0<float>(&b, 7))),
            literal("f32[2,3] {{8, 9, 10}, {11, 12, 13}}"));
}

TEST(Broadcasting, LowerRankNeedsDimensions) {
  EXPECT_EQ(sum_of({2, 3}, {3}, {}), "broadcasting.C2");
  EXPECT_EQ(sum_of({2, 3}, {3}, {1}), "f32[2,3]");
  // "When adding a 2x3 matrix to a 3-element vector, dimension 0 is invalid."
  EXPECT_EQ(sum_of({2, 3}, {3}, {0}), "broadcasting.C7");
}

TEST(Broadcasting, VectorOntoASquareMatrixBothWays) {
  XlaBuilder b("ways");
  const XlaOp zeros = Broadcast(ConstantR0<float>(&b, 0), {3, 3});
  const XlaOp v = ConstantR1<float>(&b, {7, 8, 9});
  EXPECT_EQ(value(Add(zeros, v, {1})),
            literal("f32[3,3] {{7, 8, 9}, {7, 8, 9}, {7, 8, 9}}"));
  EXPECT_EQ(value(Add(zeros, v, {0})),
            literal("f32[3,3] {{7, 7, 7}, {8, 8, 8}, {9, 9, 9}}"));
}

TEST(Broadcasting, MatrixOntoACuboid) {
  EXPECT_EQ(sum_of({2, 3, 4}, {3, 4}, {1, 2}), "f32[2,3,4]");
}

// M x N x P x Q is 2 x 3 x 5 x 7.
TEST(Broadcasting, FormalDefinition) {
  const Ints high = {2, 3, 5, 7};
  for (int64_t d = 0; d < 4; ++d) {
    const int64_t size = high[static_cast<size_t>(d)];
    EXPECT_EQ(sum_of(high, {size}, {d}), "f32[2,3,5,7]");
  }
  EXPECT_EQ(sum_of(high, {5, 7}, {2, 3}), "f32[2,3,5,7]");
  EXPECT_EQ(sum_of(high, {3, 5}, {1, 2}), "f32[2,3,5,7]");
  EXPECT_EQ(sum_of(high, {2, 7}, {0, 3}), "f32[2,3,5,7]");
  // The order increases strictly: V with N and T with P.
  EXPECT_EQ(sum_of(high, {5, 3}, {2, 1}), "broadcasting.C6");
  EXPECT_EQ(sum_of({2, 3, 3, 7}, {3, 3}, {1, 1}), "broadcasting.C6");
  EXPECT_EQ(sum_of(high, {3}, {1, 2}), "broadcasting.C3");
}

TEST(Broadcasting, DegenerateDimensions) {
  EXPECT_EQ(sum_of({2, 1}, {2, 3}, {}), "f32[2,3]");
  EXPECT_EQ(sum_of({1, 2, 5}, {7, 2, 5}, {}), "f32[7,2,5]");
  EXPECT_EQ(sum_of({7, 2, 5}, {7, 1, 5}, {}), "f32[7,2,5]");
  EXPECT_EQ(sum_of({7, 2, 5}, {7, 2, 6}, {}), "broadcasting.C1");
  EXPECT_EQ(sum_of({2, 1}, {1, 3}, {}), "f32[2,3]");
}

TEST(Broadcasting, OuterOperation) {
  XlaBuilder b("outer");
  const XlaOp column = ConstantR2<float>(&b, {{10}, {20}});
  const XlaOp row = ConstantR2<float>(&b, {{1, 2, 3}});
  EXPECT_EQ(value(Mul(column, row)),
            literal("f32[2,3] {{10, 20, 30}, {20, 40, 60}}"));
}

TEST(Broadcasting, Composition) {
  XlaBuilder b("composition");
  const XlaOp v = ConstantR1<float>(&b, {1, 2, 3, 4});
  const XlaOp m = ConstantR2<float>(&b, {{5, 6}});
  EXPECT_EQ(value(Add(v, m, {0})),
            literal("f32[4,2] {{6, 7}, {7, 8}, {8, 9}, {9, 10}}"));
  EXPECT_EQ(sum_of({1, 2}, {4, 3, 1}, {1, 2}), "f32[4,3,2]");
}

}  // namespace
}  // namespace hlo::builder
