// The document "Operation semantics": its examples of sums of products, and its
// pseudo-code of a convolution.
#include "interpreter/builder/testing/builder_case.h"

namespace hlo::builder {
namespace {

TEST(OperationSemantics, Dot) {
  XlaBuilder b("dot");
  const XlaOp v = ConstantR1<float>(&b, {1, 2});
  const XlaOp m = ConstantR2<float>(&b, {{1, 2}, {3, 4}, {5, 6}});
  const XlaOp n = ConstantR2<float>(&b, {{1, 0, 2}, {0, 1, 3}});
  EXPECT_EQ(value(Dot(v, v)), literal("f32[] 5"));
  EXPECT_EQ(value(Dot(m, v)), literal("f32[3] {5, 11, 17}"));
  EXPECT_EQ(value(Dot(m, n)),
            literal("f32[3,3] {{1, 2, 8}, {3, 4, 18}, {5, 6, 28}}"));
  EXPECT_EQ(value(Dot(v, n)), literal("f32[3] {1, 2, 8}"));
  EXPECT_EQ(refused_by([&] { Dot(ConstantR0<float>(&b, 1), v); }),
            "builder.C8");
  EXPECT_EQ(value(Dot(v, v, {.operand_precision = {"highest", "highest"}},
                      ElementType::kF64)),
            literal("f64[] 5"));
  EXPECT_EQ(refused_by([&] { Dot(v, v, {.algorithm = "guess"}); }),
            "text.word");
}

TEST(OperationSemantics, DotGeneralWithContractingDimensions) {
  XlaBuilder b("dot");
  const XlaOp lhs = ConstantR2<float>(&b, {{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
  const XlaOp rhs = ConstantR2<float>(&b, {{1.0, 1.0, 1.0}, {2.0, 2.0, 2.0}});
  DotDimensionNumbers dnums;
  dnums.add_lhs_contracting_dimensions(1);
  dnums.add_rhs_contracting_dimensions(1);
  EXPECT_EQ(value(DotGeneral(lhs, rhs, dnums)),
            literal("f32[2,2] {{6.0, 12.0}, {15.0, 30.0}}"));
}

TEST(OperationSemantics, DotGeneralWithBatchDimensions) {
  XlaBuilder b("dot");
  const XlaOp lhs =
      Constant(&b, "f32[2,2,2] {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}");
  const XlaOp rhs =
      Constant(&b, "f32[2,2,2] {{{1, 0}, {0, 1}}, {{1, 0}, {0, 1}}}");
  DotDimensionNumbers dnums;
  dnums.add_lhs_contracting_dimensions(2);
  dnums.add_rhs_contracting_dimensions(1);
  dnums.add_lhs_batch_dimensions(0);
  dnums.add_rhs_batch_dimensions(0);
  EXPECT_EQ(value(DotGeneral(lhs, rhs, dnums)), value(lhs));
}

// The table: [b0, m, k] and [b0, k, n] give [b0, m, n], and so with b1.
TEST(OperationSemantics, DotGeneralShapes) {
  XlaBuilder b("dot");
  const auto array = [&](int64_t number, Ints dims) {
    return Parameter(&b, number,
                     Shape::array(ElementType::kF32, std::move(dims)), "x");
  };
  EXPECT_EQ(shape_text(DotGeneral(array(0, {7, 2, 3}), array(1, {7, 3, 5}),
                                  {.lhs_contracting_dimensions = {2},
                                   .rhs_contracting_dimensions = {1},
                                   .lhs_batch_dimensions = {0},
                                   .rhs_batch_dimensions = {0}})),
            "f32[7,2,5]");
  EXPECT_EQ(
      shape_text(DotGeneral(array(2, {7, 8, 2, 3}), array(3, {7, 8, 3, 5}),
                            {.lhs_contracting_dimensions = {3},
                             .rhs_contracting_dimensions = {2},
                             .lhs_batch_dimensions = {0, 1},
                             .rhs_batch_dimensions = {0, 1}})),
      "f32[7,8,2,5]");
}

Literal numbered(Ints dims) {
  Literal result(Shape::array(ElementType::kS32, std::move(dims)));
  auto elements = result.mutable_data<int32_t>();
  for (size_t i = 0; i < elements.size(); ++i) {
    elements[i] = static_cast<int32_t>((i * 7 + 3) % 11) - 5;
  }
  return result;
}

struct Plane {
  const Literal& array;

  int64_t operator()(int64_t a, int64_t b, int64_t y, int64_t x) const {
    return array.integer(linearize(Index{a, b, y, x}, array.shape().dims));
  }
};

struct Paddings {
  std::pair<int64_t, int64_t> y;
  std::pair<int64_t, int64_t> x;
};

/// The loops of the document.
int64_t convolved(const Plane& input, const Plane& kernel, const Index& out,
                  const Ints& strides, const Paddings& padding) {
  const Ints& base = input.array.shape().dims;
  const Ints& window = kernel.array.shape().dims;
  int64_t value = 0;
  for (int64_t i = 0; i < window[1] * window[2] * window[3]; ++i) {
    const int64_t iz = i / (window[2] * window[3]);
    const int64_t ky = i / window[3] % window[2];
    const int64_t kx = i % window[3];
    const int64_t iy = out[2] * strides[0] + ky - padding.y.first;
    const int64_t ix = out[3] * strides[1] + kx - padding.x.first;
    if (iy < 0 || iy >= base[2] || ix < 0 || ix >= base[3]) continue;
    value += input(out[0], iz, iy, ix) * kernel(out[1], iz, ky, kx);
  }
  return value;
}

TEST(OperationSemantics, ConvWithGeneralPadding) {
  const Literal input = numbered({2, 3, 6, 5});
  const Literal kernel = numbered({4, 3, 3, 2});
  const Ints strides = {2, 1};
  const Paddings padding = {.y = {1, 2}, .x = {-1, 3}};
  XlaBuilder b("conv");
  const XlaOp conv = ConvWithGeneralPadding(ConstantLiteral(&b, input),
                                            ConstantLiteral(&b, kernel),
                                            strides, {padding.y, padding.x});
  EXPECT_EQ(shape_text(conv), "s32[2,4,4,6]");
  const Literal result = evaluate(program(conv), {});
  for (int64_t i = 0; i < result.element_count(); ++i) {
    const Index out = delinearize(i, result.shape().dims);
    ASSERT_EQ(result.integer(i),
              convolved({input}, {kernel}, out, strides, padding))
        << i;
  }
}

// SAME gives as many places as there are elements, divided by the stride;
// VALID pads nothing.
TEST(OperationSemantics, Conv) {
  XlaBuilder b("conv");
  const XlaOp x = ConstantLiteral(&b, numbered({1, 1, 5, 5}));
  const XlaOp k = ConstantLiteral(&b, numbered({1, 1, 3, 2}));
  EXPECT_EQ(value(Conv(x, k, {1, 1}, Padding::kSame)),
            value(ConvWithGeneralPadding(x, k, {1, 1}, {{1, 1}, {0, 1}})));
  EXPECT_EQ(value(Conv(x, k, {2, 2}, Padding::kSame)),
            value(ConvWithGeneralPadding(x, k, {2, 2}, {{1, 1}, {0, 1}})));
  EXPECT_EQ(shape_text(Conv(x, k, {2, 2}, Padding::kSame)), "s32[1,1,3,3]");
  EXPECT_EQ(value(Conv(x, k, {1, 1}, Padding::kValid)),
            value(ConvWithGeneralPadding(x, k, {1, 1}, {{0, 0}, {0, 0}})));
  EXPECT_EQ(refused_by([&] { Conv(x, k, {1}, Padding::kSame); }), "builder.C5");
  EXPECT_EQ(refused_by([&] {
              Conv(x, ConstantR0<int32_t>(&b, 1), {1, 1}, Padding::kSame);
            }),
            "builder.C8");
}

// Depthwise: one group for each input feature.
TEST(OperationSemantics, ConvWithFeatureGroups) {
  XlaBuilder b("conv");
  const XlaOp x = Constant(&b, "f32[1,2,3] {{{1, 2, 3}, {10, 20, 30}}}");
  const XlaOp k = Constant(&b, "f32[2,1,2] {{{1, 1}}, {{1, -1}}}");
  EXPECT_EQ(value(Conv(x, k, {1}, Padding::kValid, {.feature_group_count = 2})),
            literal("f32[1,2,2] {{{3, 5}, {-10, -10}}}"));
}

// Each part of the batch meets its part of the output features.
TEST(OperationSemantics, ConvWithBatchGroups) {
  XlaBuilder b("conv");
  const XlaOp x = Constant(&b, "f32[2,1,2] {{{1, 2}}, {{3, 4}}}");
  const XlaOp k = Constant(&b, "f32[2,1,1] {{{10}}, {{100}}}");
  EXPECT_EQ(value(Conv(x, k, {1}, Padding::kValid, {.batch_group_count = 2})),
            literal("f32[1,2,2] {{{10, 20}, {300, 400}}}"));
}

// Holes of the base and of the window, and the window from behind.
TEST(OperationSemantics, ConvGeneralDilated) {
  XlaBuilder b("conv");
  const XlaOp x = Constant(&b, "f32[1,3,1] {{{1}, {2}, {3}}}");
  const XlaOp k = Constant(&b, "f32[2,1,1] {{{10}}, {{1}}}");
  const ConvolutionDimensionNumbers numbers = {
      .input_batch_dimension = 0,
      .input_feature_dimension = 2,
      .input_spatial_dimensions = {1},
      .kernel_output_feature_dimension = 2,
      .kernel_input_feature_dimension = 1,
      .kernel_spatial_dimensions = {0},
      .output_batch_dimension = 0,
      .output_feature_dimension = 2,
      .output_spatial_dimensions = {1}};
  // 1 0 2 0 3 under 10 _ 1.
  EXPECT_EQ(
      value(ConvGeneralDilated(
          x, k, {.base_dilations = {2}, .window_dilations = {2}}, numbers)),
      literal("f32[1,3,1] {{{12}, {0}, {23}}}"));
  EXPECT_EQ(value(ConvGeneralDilated(x, k, {.reversal = {true}}, numbers)),
            literal("f32[1,2,1] {{{21}, {32}}}"));
  EXPECT_EQ(
      value(ConvWithGeneralDimensions(x, k, {1}, Padding::kSame, numbers)),
      literal("f32[1,3,1] {{{12}, {23}, {30}}}"));
}

}  // namespace
}  // namespace hlo::builder
