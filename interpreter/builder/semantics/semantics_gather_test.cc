// The document "Operation semantics": Gather, Scatter and their examples.
#include "interpreter/builder/testing/builder_case.h"

namespace hlo::builder {
namespace {

XlaOp sixteen_by_eleven(XlaBuilder* b) {
  return Reshape(Iota(b, ElementType::kS32, 176), {16, 11});
}

// Out[G, O0, O1] = operand[X + O0, Y + O1], where (X, Y) = indices[G].
TEST(OperationSemantics, GatherOfSlices) {
  XlaBuilder b("gather");
  const XlaOp places =
      Constant(&b, "s64[5,2] {{0, 0}, {8, 5}, {3, 1}, {7, 4}, {1, 2}}");
  const XlaOp slices = Gather(sixteen_by_eleven(&b), places,
                              {.offset_dims = {1, 2},
                               .collapsed_slice_dims = {},
                               .start_index_map = {0, 1},
                               .index_vector_dim = 1},
                              {8, 6});
  EXPECT_EQ(shape_text(slices), "s32[5,8,6]");
  const Literal result = evaluate(program(slices), {});
  const int64_t x[] = {0, 8, 3, 7, 1};
  const int64_t y[] = {0, 5, 1, 4, 2};
  for (int64_t i = 0; i < result.element_count(); ++i) {
    const Index at = delinearize(i, result.shape().dims);
    const int64_t row = x[at[0]] + at[1];
    const int64_t column = y[at[0]] + at[2];
    ASSERT_EQ(result.integer(i), row * 11 + column) << i;
  }
}

TEST(OperationSemantics, GatherOfSlicesInTwoBatchDimensions) {
  XlaBuilder b("gather");
  const XlaOp places =
      Parameter(&b, 0, Shape::array(ElementType::kS64, {4, 5, 2}), "places");
  const XlaOp slices = Gather(sixteen_by_eleven(&b), places,
                              {.offset_dims = {2, 3},
                               .collapsed_slice_dims = {},
                               .start_index_map = {0, 1},
                               .index_vector_dim = 2},
                              {8, 6});
  EXPECT_EQ(shape_text(slices), "s32[4,5,8,6]");
}

// tf.gather_nd: each index selects a whole row.
TEST(OperationSemantics, GatherOfRows) {
  XlaBuilder b("gather");
  const XlaOp rows = Constant(&b, "s64[2,2,1] {{{3}, {0}}, {{15}, {3}}}");
  const XlaOp gathered = Gather(sixteen_by_eleven(&b), rows,
                                {.offset_dims = {2},
                                 .collapsed_slice_dims = {0},
                                 .start_index_map = {0},
                                 .index_vector_dim = 2},
                                {1, 11});
  EXPECT_EQ(shape_text(gathered), "s32[2,2,11]");
  const XlaOp first = Slice(gathered, {0, 0, 0}, {2, 2, 1});
  EXPECT_EQ(value(first), literal("s32[2,2,1] {{{33}, {0}}, {{165}, {33}}}"));
}

// Indices of the shape [6,7] with index_vector_dim 2 are taken as [6,7,1].
TEST(OperationSemantics, GatherWithoutADimensionForTheIndexVector) {
  XlaBuilder b("gather");
  const XlaOp indices =
      Rem(Iota(&b, Shape::array(ElementType::kS32, {6, 7}), 1),
          ConstantR0<int32_t>(&b, 5));
  const XlaOp operand = ConstantR1<float>(&b, {10, 11, 12, 13, 14});
  const GatherDimensionNumbers numbers = {.offset_dims = {},
                                          .collapsed_slice_dims = {0},
                                          .start_index_map = {0},
                                          .index_vector_dim = 2};
  const XlaOp implied = Gather(operand, indices, numbers, {1});
  const XlaOp given =
      Gather(operand, Reshape(indices, {6, 7, 1}), numbers, {1});
  EXPECT_EQ(shape_text(implied), "f32[6,7]");
  EXPECT_EQ(value(implied), value(given));
}

// remapped_offset_dims is {0->1, 1->3, 2->4, 3->5} where an operand of rank 6
// loses the dimensions 0 and 2.
TEST(OperationSemantics, GatherRemapsOffsetDimensions) {
  XlaBuilder b("gather");
  const XlaOp operand = Parameter(
      &b, 0, Shape::array(ElementType::kF32, {2, 3, 4, 5, 6, 7}), "operand");
  const XlaOp start =
      Parameter(&b, 1, Shape::array(ElementType::kS32, {2}), "start");
  EXPECT_EQ(shape_text(Gather(operand, start,
                              {.offset_dims = {0, 1, 2, 3},
                               .collapsed_slice_dims = {0, 2},
                               .start_index_map = {0, 2},
                               .index_vector_dim = 0},
                              {1, 3, 1, 5, 6, 7})),
            "f32[3,5,6,7]");
}

TEST(OperationSemantics, GatherWithBatchingDimensions) {
  XlaBuilder b("gather");
  const XlaOp x = ConstantR2<float>(&b, {{1, 2, 3}, {4, 5, 6}});
  const XlaOp column = Constant(&b, "s32[2,1] {{2}, {0}}");
  EXPECT_EQ(value(Gather(x, column,
                         {.offset_dims = {},
                          .collapsed_slice_dims = {1},
                          .start_index_map = {1},
                          .index_vector_dim = 1,
                          .operand_batching_dims = {0},
                          .start_indices_batching_dims = {0}},
                         {1, 1}, /*indices_are_sorted=*/true)),
            literal("f32[2] {3, 4}"));
}

ScatterDimensionNumbers rows() {
  return {.update_window_dims = {1},
          .inserted_window_dims = {0},
          .scatter_dims_to_operand_dims = {0},
          .index_vector_dim = 1};
}

// The updates go where the gather of the same numbers would have read.
TEST(OperationSemantics, Scatter) {
  XlaBuilder b("scatter");
  const XlaOp x = ConstantR2<int32_t>(&b, {{1, 2}, {3, 4}, {5, 6}});
  const XlaOp indices = ConstantR1<int32_t>(&b, {2, 0, 2, 7});
  const XlaOp updates =
      ConstantR2<int32_t>(&b, {{10, 20}, {30, 40}, {50, 60}, {70, 80}});
  const XlaOp added =
      Scatter(x, indices, updates,
              CreateScalarAddComputation(ElementType::kS32), rows());
  // Row 2 gets two updates, and row 7 is outside.
  EXPECT_EQ(value(added), literal("s32[3,2] {{31, 42}, {3, 4}, {65, 86}}"));
}

// The first parameter is the current value, the second the update.
TEST(OperationSemantics, ScatterPassesTheCurrentValueFirst) {
  XlaBuilder second("second");
  Parameter(&second, 0, Shape::scalar(ElementType::kS32), "current");
  const XlaComputation replace = second.Build(
      Parameter(&second, 1, Shape::scalar(ElementType::kS32), "update"));
  XlaBuilder b("scatter");
  const XlaOp x = ConstantR2<int32_t>(&b, {{1, 2}, {3, 4}});
  const XlaOp updates = ConstantR2<int32_t>(&b, {{10, 20}});
  EXPECT_EQ(value(Scatter(x, ConstantR1<int32_t>(&b, {1}), updates, replace,
                          rows(), {.are_sorted = true, .are_unique = true})),
            literal("s32[2,2] {{1, 2}, {10, 20}}"));
}

TEST(OperationSemantics, ScatterOfTwoArrays) {
  XlaBuilder sums("sums");
  XlaOps p;
  for (int64_t i = 0; i < 4; ++i) {
    p.push_back(Parameter(&sums, i, Shape::scalar(ElementType::kS32), "p"));
  }
  const XlaComputation computation =
      sums.Build(Tuple(&sums, {Add(p[0], p[2]), Mul(p[1], p[3])}));
  XlaBuilder b("scatter");
  const XlaOp x = ConstantR2<int32_t>(&b, {{1, 2}, {3, 4}});
  const XlaOp updates = ConstantR2<int32_t>(&b, {{10, 20}});
  const XlaOp both = Scatter(&b, {x, x}, ConstantR1<int32_t>(&b, {1}),
                             {updates, updates}, computation, rows());
  EXPECT_EQ(value(GetTupleElement(both, 0)),
            literal("s32[2,2] {{1, 2}, {13, 24}}"));
  EXPECT_EQ(value(GetTupleElement(both, 1)),
            literal("s32[2,2] {{1, 2}, {30, 80}}"));
}

// window_dims_to_operand_dims is {0->1, 1->3, 2->4, 3->5} where an operand of
// rank 6 has the inserted dimensions 0 and 2.
TEST(OperationSemantics, ScatterRemapsWindowDimensions) {
  XlaBuilder b("scatter");
  const auto parameter = [&](int64_t number, ElementType type, Ints dims) {
    return Parameter(&b, number, Shape::array(type, std::move(dims)), "p");
  };
  const XlaOp operand = parameter(0, ElementType::kF32, {2, 3, 4, 5, 6, 7});
  const XlaOp start = parameter(1, ElementType::kS32, {2});
  const XlaOp updates = parameter(2, ElementType::kF32, {3, 5, 6, 7});
  const ScatterDimensionNumbers numbers = {
      .update_window_dims = {0, 1, 2, 3},
      .inserted_window_dims = {0, 2},
      .scatter_dims_to_operand_dims = {0, 2},
      .index_vector_dim = 0};
  const XlaComputation sum = CreateScalarAddComputation(ElementType::kF32);
  EXPECT_EQ(shape_text(Scatter(operand, start, updates, sum, numbers)),
            "f32[2,3,4,5,6,7]");
  const XlaOp wrong = parameter(3, ElementType::kF32, {3, 4, 6, 7});
  EXPECT_NO_THROW(Scatter(operand, start, wrong, sum, numbers));
  const XlaOp larger = parameter(4, ElementType::kF32, {3, 6, 6, 7});
  EXPECT_EQ(refused_by([&] {
              Scatter(operand, start, larger, sum, numbers);
            }).substr(0, 8),
            "scatter.");
}

}  // namespace
}  // namespace hlo::builder
