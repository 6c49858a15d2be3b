// The document "Operation semantics": its examples of operations that move
// elements.
#include "interpreter/builder/testing/builder_case.h"

namespace hlo::builder {
namespace {

TEST(OperationSemantics, Broadcast) {
  XlaBuilder b("broadcast");
  EXPECT_EQ(value(Broadcast(ConstantR0<float>(&b, 2.0F), {2, 3})),
            literal("f32[2,3] {{2, 2, 2}, {2, 2, 2}}"));
  // output[i0, ..., iN, j0, ..., jM] = operand[j0, ..., jM]
  EXPECT_EQ(value(Broadcast(ConstantR1<float>(&b, {1, 2}), {3})),
            literal("f32[3,2] {{1, 2}, {1, 2}, {1, 2}}"));
}

TEST(OperationSemantics, BroadcastInDim) {
  XlaBuilder b("in_dim");
  const XlaOp v = ConstantR1<float>(&b, {1, 2});
  EXPECT_EQ(value(BroadcastInDim(v, {2, 3}, {0})),
            literal("f32[2,3] {{1, 1, 1}, {2, 2, 2}}"));
  // A dimension of size 1 grows.
  const XlaOp column = ConstantR2<float>(&b, {{1}, {2}});
  EXPECT_EQ(value(BroadcastInDim(column, {2, 3}, {0, 1})),
            literal("f32[2,3] {{1, 1, 1}, {2, 2, 2}}"));
  EXPECT_EQ(value(BroadcastInDim(column, {2, 1}, {0, 1})),
            literal("f32[2,1] {{1}, {2}}"));
  EXPECT_EQ(refused_by([&] {
              BroadcastInDim(v, {2, 3}, {1});
            }),
            "broadcast.C4");
  EXPECT_EQ(refused_by([&] {
              BroadcastInDim(v, {2, 3}, {2});
            }),
            "broadcast.C3");
}

XlaOp array_of_24(XlaBuilder* b) {
  return Constant(b,
                  "f32[4,2,3] {{{10, 11, 12}, {15, 16, 17}},"
                  "{{20, 21, 22}, {25, 26, 27}},"
                  "{{30, 31, 32}, {35, 36, 37}},"
                  "{{40, 41, 42}, {45, 46, 47}}}");
}

constexpr const char* kInOrder =
    "f32[24] {10, 11, 12, 15, 16, 17, 20, 21, 22, 25, 26, 27,"
    "30, 31, 32, 35, 36, 37, 40, 41, 42, 45, 46, 47}";
constexpr const char* kEightByThree =
    "f32[8,3] {{10, 11, 12}, {15, 16, 17}, {20, 21, 22}, {25, 26, 27},"
    "{30, 31, 32}, {35, 36, 37}, {40, 41, 42}, {45, 46, 47}}";

// The document gives the values of v01 and v12 the wrong way round.
TEST(OperationSemantics, Collapse) {
  XlaBuilder b("collapse");
  const XlaOp v = array_of_24(&b);
  EXPECT_EQ(value(Collapse(v, {0, 1, 2})), literal(kInOrder));
  EXPECT_EQ(value(Collapse(v, {0, 1})), literal(kEightByThree));
  EXPECT_EQ(value(Collapse(v, {1, 2})),
            literal("f32[4,6] {{10, 11, 12, 15, 16, 17},"
                    "{20, 21, 22, 25, 26, 27}, {30, 31, 32, 35, 36, 37},"
                    "{40, 41, 42, 45, 46, 47}}"));
  EXPECT_EQ(refused_by([&] { Collapse(v, {1, 0}); }), "builder.C6");
  EXPECT_EQ(refused_by([&] { Collapse(v, {0, 2}); }), "builder.C6");
  EXPECT_EQ(refused_by([&] { Collapse(v, {2, 3}); }), "builder.C6");
}

TEST(OperationSemantics, Concatenate) {
  XlaBuilder b("concatenate");
  const XlaOps parts = {ConstantR1<int32_t>(&b, {2, 3}),
                        ConstantR1<int32_t>(&b, {4, 5}),
                        ConstantR1<int32_t>(&b, {6, 7})};
  EXPECT_EQ(value(ConcatInDim(&b, parts, 0)),
            literal("s32[6] {2, 3, 4, 5, 6, 7}"));
  const XlaOp a = ConstantR2<int32_t>(&b, {{1, 2}, {3, 4}, {5, 6}});
  const XlaOp last = ConstantR2<int32_t>(&b, {{7, 8}});
  EXPECT_EQ(value(ConcatInDim(&b, {a, last}, 0)),
            literal("s32[4,2] {{1, 2}, {3, 4}, {5, 6}, {7, 8}}"));
}

XlaOp four_by_three(XlaBuilder* b) {
  return ConstantR2<float>(b, {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}});
}

TEST(OperationSemantics, DynamicSlice) {
  XlaBuilder b("dynamic_slice");
  const XlaOp a = ConstantR1<float>(&b, {0, 1, 2, 3, 4});
  const XlaOp s = ConstantR1<int32_t>(&b, {2});
  EXPECT_EQ(value(DynamicSlice(a, s, {2})), literal("f32[2] {2, 3}"));
  const XlaOp m = four_by_three(&b);
  const XlaOp place = ConstantR1<int32_t>(&b, {2, 1});
  const std::string expected = literal("f32[2,2] {{7, 8}, {10, 11}}");
  EXPECT_EQ(value(DynamicSlice(m, place, {2, 2})), expected);
  const XlaOp two = ConstantR0<int32_t>(&b, 2);
  const XlaOp one = ConstantR0<int32_t>(&b, 1);
  EXPECT_EQ(value(DynamicSlice(m, XlaOps{two, one}, {2, 2})), expected);
  // Starts are clamped in every dimension, from dimension 0 on.
  EXPECT_EQ(value(DynamicSlice(m, ConstantR1<int32_t>(&b, {9, -5}), {2, 2})),
            literal("f32[2,2] {{6, 7}, {9, 10}}"));
}

TEST(OperationSemantics, DynamicUpdateSlice) {
  XlaBuilder b("dynamic_update_slice");
  const XlaOp a = ConstantR1<float>(&b, {0, 1, 2, 3, 4});
  const XlaOp u = ConstantR1<float>(&b, {5, 6});
  EXPECT_EQ(value(DynamicUpdateSlice(a, u, ConstantR1<int32_t>(&b, {2}))),
            literal("f32[5] {0, 1, 5, 6, 4}"));
  const XlaOp w = ConstantR2<float>(&b, {{12, 13}, {14, 15}, {16, 17}});
  const XlaOp s = ConstantR1<int32_t>(&b, {1, 1});
  EXPECT_EQ(value(DynamicUpdateSlice(four_by_three(&b), w, s)),
            literal("f32[4,3] {{0, 1, 2}, {3, 12, 13}, {6, 14, 15},"
                    "{9, 16, 17}}"));
}

TEST(OperationSemantics, Iota) {
  XlaBuilder b("iota");
  const Shape shape = Shape::array(ElementType::kS32, {4, 8});
  EXPECT_EQ(value(Iota(&b, shape, 0)),
            literal("s32[4,8] {{0, 0, 0, 0, 0, 0, 0, 0},"
                    "{1, 1, 1, 1, 1, 1, 1, 1}, {2, 2, 2, 2, 2, 2, 2, 2},"
                    "{3, 3, 3, 3, 3, 3, 3, 3}}"));
  EXPECT_EQ(value(Iota(&b, shape, 1)),
            literal("s32[4,8] {{0, 1, 2, 3, 4, 5, 6, 7},"
                    "{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7},"
                    "{0, 1, 2, 3, 4, 5, 6, 7}}"));
  // Iota of floats is the conversion of iota of integers.
  EXPECT_EQ(value(Iota(&b, ElementType::kF32, 3)),
            value(ConvertElementType(Iota(&b, ElementType::kS32, 3),
                                     ElementType::kF32)));
}

TEST(OperationSemantics, Pad) {
  XlaBuilder b("pad");
  const XlaOp x = ConstantR1<float>(&b, {1, 2, 3});
  const XlaOp zero = ConstantR0<float>(&b, 0);
  EXPECT_EQ(value(Pad(x, zero, {{{.low = 1, .high = 2, .interior = 1}}})),
            literal("f32[8] {0, 1, 0, 2, 0, 3, 0, 0}"));
  // Interior padding comes first: then 1 and the zero behind it go.
  EXPECT_EQ(value(Pad(x, zero, {{{.low = -2, .high = 0, .interior = 1}}})),
            literal("f32[3] {2, 0, 3}"));
  EXPECT_EQ(value(Pad(x, zero, {{{}}})), value(x));
  EXPECT_EQ(value(PadInDim(x, zero, 0, 0, 1)), literal("f32[4] {1, 2, 3, 0}"));
  EXPECT_EQ(refused_by([&] { PadInDim(x, zero, 1, 0, 1); }), "builder.C7");
}

TEST(OperationSemantics, ReshapeInOrder) {
  XlaBuilder b("reshape");
  const XlaOp v = array_of_24(&b);
  EXPECT_EQ(value(Reshape(v, {0, 1, 2}, {24})), literal(kInOrder));
  EXPECT_EQ(value(Reshape(v, {0, 1, 2}, {8, 3})), literal(kEightByThree));
  EXPECT_EQ(value(Reshape(v, {8, 3})), literal(kEightByThree));
}

TEST(OperationSemantics, ReshapeOutOfOrder) {
  XlaBuilder b("reshape");
  const XlaOp v = array_of_24(&b);
  EXPECT_EQ(value(Reshape(v, {1, 2, 0}, {24})),
            literal("f32[24] {10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42,"
                    "15, 25, 35, 45, 16, 26, 36, 46, 17, 27, 37, 47}"));
  EXPECT_EQ(value(Reshape(v, {1, 2, 0}, {8, 3})),
            literal("f32[8,3] {{10, 20, 30}, {40, 11, 21}, {31, 41, 12},"
                    "{22, 32, 42}, {15, 25, 35}, {45, 16, 26}, {36, 46, 17},"
                    "{27, 37, 47}}"));
  EXPECT_EQ(value(Reshape(v, {1, 2, 0}, {2, 6, 2})),
            literal("f32[2,6,2] {{{10, 20}, {30, 40}, {11, 21}, {31, 41},"
                    "{12, 22}, {32, 42}}, {{15, 25}, {35, 45}, {16, 26},"
                    "{36, 46}, {17, 27}, {37, 47}}}"));
}

TEST(OperationSemantics, ReshapeOfOneElement) {
  XlaBuilder b("reshape");
  EXPECT_EQ(value(Reshape(Constant(&b, "f32[1,1] {{5}}"), {0, 1}, {})),
            literal("f32[] 5"));
  EXPECT_EQ(value(Reshape(ConstantR0<float>(&b, 5), {}, {1, 1})),
            literal("f32[1,1] {{5}}"));
}

TEST(OperationSemantics, Rev) {
  XlaBuilder b("rev");
  const XlaOp x = ConstantR2<float>(&b, {{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(value(Rev(x, {1})), literal("f32[2,3] {{3, 2, 1}, {6, 5, 4}}"));
  EXPECT_EQ(value(Rev(x, {0, 1})), literal("f32[2,3] {{6, 5, 4}, {3, 2, 1}}"));
}

TEST(OperationSemantics, Slice) {
  XlaBuilder b("slice");
  const XlaOp a = ConstantR1<float>(&b, {0, 1, 2, 3, 4});
  EXPECT_EQ(value(Slice(a, {2}, {4})), literal("f32[2] {2, 3}"));
  EXPECT_EQ(value(Slice(four_by_three(&b), {2, 1}, {4, 3})),
            literal("f32[2,2] {{7, 8}, {10, 11}}"));
  EXPECT_EQ(value(SliceInDim(a, 0, 5, 2, 0)), literal("f32[3] {0, 2, 4}"));
  EXPECT_EQ(refused_by([&] { Slice(a, {2}, {4, 5}); }), "builder.C5");
  EXPECT_EQ(refused_by([&] { Slice(a, {2}, {6}, {1}); }), "slice.C2");
}

// Equal to a reshape in that order to the sizes in that order.
TEST(OperationSemantics, Transpose) {
  XlaBuilder b("transpose");
  const XlaOp v = array_of_24(&b);
  EXPECT_EQ(shape_text(Transpose(v, {1, 2, 0})), "f32[2,3,4]");
  EXPECT_EQ(value(Transpose(v, {1, 2, 0})),
            value(Reshape(v, {1, 2, 0}, {2, 3, 4})));
  EXPECT_EQ(value(Transpose(ConstantR2<float>(&b, {{1, 2}, {3, 4}}), {1, 0})),
            literal("f32[2,2] {{1, 3}, {2, 4}}"));
}

}  // namespace
}  // namespace hlo::builder
