// The document "Operation semantics": its examples of operations that apply a
// computation.
#include "interpreter/builder/testing/builder_case.h"

namespace hlo::builder {
namespace {

XlaComputation sum() { return CreateScalarAddComputation(ElementType::kF32); }

TEST(OperationSemantics, Map) {
  XlaBuilder mapped("mapped");
  const Shape scalar = Shape::scalar(ElementType::kF32);
  const XlaOp x = Parameter(&mapped, 0, scalar, "x");
  const XlaOp y = Parameter(&mapped, 1, scalar, "y");
  const XlaOp z = Parameter(&mapped, 2, scalar, "z");
  const XlaComputation computation = mapped.Build(Add(Mul(x, y), z));
  XlaBuilder b("map");
  const XlaOp op1 = ConstantR1<float>(&b, {1, 2});
  const XlaOp op2 = ConstantR1<float>(&b, {3, 4});
  const XlaOp op3 = ConstantR1<float>(&b, {5, 6});
  EXPECT_EQ(value(Map(&b, {op1, op2, op3}, computation, {0})),
            literal("f32[2] {8, 14}"));
}

TEST(OperationSemantics, ReduceOfAVector) {
  XlaBuilder b("reduce");
  const XlaOp x = ConstantR1<float>(&b, {10, 11, 12, 13});
  EXPECT_EQ(value(Reduce(x, ConstantR0<float>(&b, 0), sum(), {0})),
            literal("f32[] 46"));
}

TEST(OperationSemantics, ReduceOfAMatrix) {
  XlaBuilder b("reduce");
  const XlaOp x = ConstantR2<float>(&b, {{1, 2, 3}, {4, 5, 6}});
  const XlaOp zero = ConstantR0<float>(&b, 0);
  EXPECT_EQ(value(Reduce(x, zero, sum(), {0})), literal("f32[3] {5, 7, 9}"));
  EXPECT_EQ(value(Reduce(x, zero, sum(), {1})), literal("f32[2] {6, 15}"));
}

// 1 to 6 in a 2 by 3 matrix, four times along dimension 0.
TEST(OperationSemantics, ReduceOfThreeDimensions) {
  XlaBuilder b("reduce");
  const XlaOp matrix = ConstantR2<float>(&b, {{1, 2, 3}, {4, 5, 6}});
  const XlaOp x = Broadcast(matrix, {4});
  const XlaOp zero = ConstantR0<float>(&b, 0);
  EXPECT_EQ(value(Reduce(x, zero, sum(), {0})),
            literal("f32[2,3] {{4, 8, 12}, {16, 20, 24}}"));
  EXPECT_EQ(value(Reduce(x, zero, sum(), {2})),
            literal("f32[4,2] {{6, 15}, {6, 15}, {6, 15}, {6, 15}}"));
  EXPECT_EQ(value(Reduce(x, zero, sum(), {0, 1})),
            literal("f32[3] {20, 28, 36}"));
  EXPECT_EQ(value(ReduceAll(x, zero, sum())), literal("f32[] 84"));
  EXPECT_EQ(value(Reduce(x, zero, sum(), {0, 1, 2})), literal("f32[] 84"));
}

// f(max, argmax, value, index): value >= max ? (value, index) : (max, argmax)
XlaComputation argmax() {
  XlaBuilder b("argmax");
  const Shape real = Shape::scalar(ElementType::kF32);
  const Shape integer = Shape::scalar(ElementType::kS32);
  const XlaOp max = Parameter(&b, 0, real, "max");
  const XlaOp where = Parameter(&b, 1, integer, "argmax");
  const XlaOp value = Parameter(&b, 2, real, "value");
  const XlaOp index = Parameter(&b, 3, integer, "index");
  const XlaOp is_larger = Ge(value, max);
  return b.Build(Tuple(
      &b, {Select(is_larger, value, max), Select(is_larger, index, where)}));
}

TEST(OperationSemantics, VariadicReduce) {
  XlaBuilder b("reduce");
  const XlaOp v = ConstantR1<float>(&b, {3, 7, 5, 7, 1});
  const XlaOp k = Iota(&b, ElementType::kS32, 5);
  const XlaOp pair =
      Reduce(&b, {v, k},
             {MinValue(&b, ElementType::kF32), ConstantR0<int32_t>(&b, -1)},
             argmax(), {0});
  EXPECT_EQ(value(GetTupleElement(pair, 0)), literal("f32[] 7"));
  EXPECT_EQ(value(GetTupleElement(pair, 1)), literal("s32[] 3"));
}

// The program of the document, on 0 to 23.
TEST(OperationSemantics, ReduceWindow) {
  XlaComputation max;
  {
    XlaBuilder builder("max");
    auto y = Parameter(&builder, 0, Shape::scalar(ElementType::kF32), "y");
    auto x = Parameter(&builder, 1, Shape::scalar(ElementType::kF32), "x");
    Max(y, x);
    max = builder.Build();
  }
  XlaBuilder builder("reduce_window_2x3");
  auto input = Reshape(Iota(&builder, ElementType::kF32, 24), {4, 6});
  auto windows = ReduceWindow(input, MinValue(&builder, ElementType::kF32), max,
                              /*window_dimensions=*/{2, 3},
                              /*window_strides=*/{2, 3}, Padding::kValid);
  EXPECT_EQ(value(windows), literal("f32[2,2] {{8, 11}, {20, 23}}"));
}

TEST(OperationSemantics, ReduceWindowPadding) {
  XlaBuilder b("padding");
  const XlaOp x = ConstantR1<float>(&b, {10000, 1000, 100, 10, 1});
  const XlaOp most = MaxValue(&b, ElementType::kF32);
  const XlaComputation min = CreateScalarMinComputation(ElementType::kF32);
  EXPECT_EQ(value(ReduceWindow(x, most, min, {3}, {2}, Padding::kValid)),
            literal("f32[2] {100, 1}"));
  EXPECT_EQ(value(ReduceWindow(x, most, min, {3}, {2}, Padding::kSame)),
            literal("f32[3] {1000, 10, 1}"));
  // With stride 1 the result has the size of the input.
  EXPECT_EQ(value(ReduceWindow(x, most, min, {3}, {1}, Padding::kSame)),
            literal("f32[5] {1000, 100, 10, 1, 1}"));
  EXPECT_EQ(value(ReduceWindowWithGeneralPadding(
                x, most, min, {2}, {.strides = {2}, .window_dilations = {2}})),
            literal("f32[2] {100, 1}"));
  EXPECT_EQ(
      refused_by([&] { ReduceWindow(x, most, min, {3}, {0}, Padding::kSame); }),
      "reduce-window.C6");
}

TEST(OperationSemantics, VariadicReduceWindow) {
  XlaBuilder b("windows");
  const XlaOp v = ConstantR1<float>(&b, {3, 7, 5, 1});
  const XlaOp pair = ReduceWindow(
      &b, {v, Iota(&b, ElementType::kS32, 4)},
      {MinValue(&b, ElementType::kF32), ConstantR0<int32_t>(&b, -1)}, argmax(),
      {2}, {2}, Padding::kValid);
  EXPECT_EQ(value(GetTupleElement(pair, 0)), literal("f32[2] {7, 5}"));
  EXPECT_EQ(value(GetTupleElement(pair, 1)), literal("s32[2] {1, 2}"));
}

XlaComputation greater_or_equal() {
  XlaBuilder b("ge");
  const Shape scalar = Shape::scalar(ElementType::kF32);
  return b.Build(
      Ge(Parameter(&b, 0, scalar, "x"), Parameter(&b, 1, scalar, "y")));
}

// Where windows overlap, 9 is selected twice and gets 2 + 6 = 8.
TEST(OperationSemantics, SelectAndScatter) {
  XlaBuilder b("scatter");
  const XlaOp zero = ConstantR0<float>(&b, 0);
  const XlaOp apart = SelectAndScatter(
      ConstantR1<float>(&b, {7, 2, 5, 3}), greater_or_equal(), {2}, {2},
      Padding::kValid, ConstantR1<float>(&b, {2, 6}), zero, sum());
  EXPECT_EQ(value(apart), literal("f32[4] {2, 0, 6, 0}"));
  const XlaOp overlapping = SelectAndScatter(
      ConstantR1<float>(&b, {7, 9, 5}), greater_or_equal(), {2}, {1},
      Padding::kValid, ConstantR1<float>(&b, {2, 6}), zero, sum());
  EXPECT_EQ(value(overlapping), literal("f32[3] {0, 8, 0}"));
}

TEST(OperationSemantics, Sort) {
  XlaBuilder b("sort");
  const XlaOp x = ConstantR2<float>(&b, {{3, 1, 2}, {4, 6, 5}});
  const XlaComputation less = CreateScalarLtComputation({ElementType::kF32});
  EXPECT_EQ(value(Sort({x}, less)), literal("f32[2,3] {{1, 2, 3}, {4, 5, 6}}"));
  EXPECT_EQ(value(Sort({x}, less, 0)), value(x));
  const XlaComputation more = CreateScalarGtComputation({ElementType::kF32});
  EXPECT_EQ(value(Sort({x}, more, 1)),
            literal("f32[2,3] {{3, 2, 1}, {6, 5, 4}}"));
}

TEST(OperationSemantics, SortOfThreeOperands) {
  XlaBuilder b("sort");
  const XlaOp sorted =
      Sort({ConstantR1<int32_t>(&b, {3, 1}), ConstantR1<int32_t>(&b, {42, 50}),
            ConstantR1<float>(&b, {-3.0F, 1.1F})},
           CreateScalarLtComputation(
               {ElementType::kS32, ElementType::kS32, ElementType::kF32}));
  EXPECT_EQ(value(GetTupleElement(sorted, 0)), literal("s32[2] {1, 3}"));
  EXPECT_EQ(value(GetTupleElement(sorted, 1)), literal("s32[2] {50, 42}"));
  EXPECT_EQ(value(GetTupleElement(sorted, 2)), literal("f32[2] {1.1, -3}"));
}

TEST(OperationSemantics, SortIsStableWhereAsked) {
  XlaBuilder b("sort");
  const XlaOp keys = ConstantR1<int32_t>(&b, {1, 0, 1, 0});
  const XlaOp sorted =
      Sort({keys, Iota(&b, ElementType::kS32, 4)},
           CreateScalarLtComputation({ElementType::kS32, ElementType::kS32}), 0,
           /*is_stable=*/true);
  EXPECT_EQ(value(GetTupleElement(sorted, 1)), literal("s32[4] {1, 3, 0, 2}"));
}

TEST(Builder, TopK) {
  XlaBuilder b("topk");
  const XlaOp best = TopK(ConstantR1<float>(&b, {3, 9, 1, 9}), 2);
  EXPECT_EQ(value(GetTupleElement(best, 0)), literal("f32[2] {9, 9}"));
  EXPECT_EQ(value(GetTupleElement(best, 1)), literal("s32[2] {1, 3}"));
}

TEST(Builder, Scan) {
  XlaBuilder step("step");
  const Shape scalar = Shape::scalar(ElementType::kF32);
  const XlaOp x = Parameter(&step, 0, scalar, "x");
  const XlaOp carry = Parameter(&step, 1, scalar, "carry");
  const XlaOp next = Add(x, carry);
  const XlaComputation computation = step.Build(Tuple(&step, {next, next}));
  XlaBuilder b("scan");
  const XlaOp sums = Scan(&b, {ConstantR1<float>(&b, {1, 2, 3})},
                          {ConstantR0<float>(&b, 10)}, computation, 0);
  EXPECT_EQ(value(GetTupleElement(sums, 0)), literal("f32[3] {11, 13, 16}"));
  EXPECT_EQ(value(GetTupleElement(sums, 1)), literal("f32[] 16"));
}

}  // namespace
}  // namespace hlo::builder
