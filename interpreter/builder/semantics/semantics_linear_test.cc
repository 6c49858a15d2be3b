// The document "Operation semantics": batch normalisation, linear algebra,
// Fourier transforms and random numbers, on values that are easy to compute.
#include "interpreter/builder/testing/builder_case.h"

namespace hlo::builder {
namespace {

XlaOp scalar_vector(XlaBuilder* b, float value) {
  return ConstantR1<float>(b, {value});
}

/// Two images of two points with one feature: mean 2 and variance 1.
XlaOp images(XlaBuilder* b) {
  return Constant(b, "f32[2,2,1] {{{1}, {3}}, {{1}, {3}}}");
}

TEST(OperationSemantics, BatchNormTraining) {
  XlaBuilder b("norm");
  const XlaOp norm = BatchNormTraining(images(&b), scalar_vector(&b, 2),
                                       scalar_vector(&b, 5), 0.0F, 2);
  EXPECT_EQ(value(GetTupleElement(norm, 0)),
            literal("f32[2,2,1] {{{3}, {7}}, {{3}, {7}}}"));
  EXPECT_EQ(value(GetTupleElement(norm, 1)), literal("f32[1] {2}"));
  EXPECT_EQ(value(GetTupleElement(norm, 2)), literal("f32[1] {1}"));
}

TEST(OperationSemantics, BatchNormInference) {
  XlaBuilder b("norm");
  // Variance 3.75 and epsilon 0.25: divided by 2.
  EXPECT_EQ(value(BatchNormInference(images(&b), scalar_vector(&b, 2),
                                     scalar_vector(&b, 5), scalar_vector(&b, 1),
                                     scalar_vector(&b, 3.75), 0.25F, 2)),
            literal("f32[2,2,1] {{{5}, {7}}, {{5}, {7}}}"));
}

// With c = 1.5 and d = 3.5 of the document's formulas.
TEST(OperationSemantics, BatchNormGrad) {
  XlaBuilder b("norm");
  const XlaOp grad_output = Constant(&b, "f32[2,2,1] {{{1}, {2}}, {{3}, {8}}}");
  const XlaOp grad =
      BatchNormGrad(images(&b), scalar_vector(&b, 2), scalar_vector(&b, 2),
                    scalar_vector(&b, 1), grad_output, 0.0F, 2);
  EXPECT_EQ(value(GetTupleElement(grad, 0)),
            literal("f32[2,2,1] {{{-2}, {-6}}, {{2}, {6}}}"));
  EXPECT_EQ(value(GetTupleElement(grad, 1)), literal("f32[1] {6}"));
  EXPECT_EQ(value(GetTupleElement(grad, 2)), literal("f32[1] {14}"));
}

// a = l l^T = u^T u; the other triangle is not read.
TEST(OperationSemantics, Cholesky) {
  XlaBuilder b("cholesky");
  const XlaOp lower = Cholesky(ConstantR2<float>(&b, {{4, 99}, {2, 5}}), true);
  EXPECT_EQ(value(Slice(lower, {0, 0}, {2, 1})),
            literal("f32[2,1] {{2}, {1}}"));
  EXPECT_EQ(value(Slice(lower, {1, 1}, {2, 2})), literal("f32[1,1] {{2}}"));
  const XlaOp upper = Cholesky(ConstantR2<float>(&b, {{4, 2}, {99, 5}}), false);
  EXPECT_EQ(value(Slice(upper, {0, 0}, {1, 2})), literal("f32[1,2] {{2, 1}}"));
  EXPECT_EQ(value(Slice(upper, {1, 1}, {2, 2})), literal("f32[1,1] {{2}}"));
}

TEST(OperationSemantics, TriangularSolve) {
  using enum TriangularTranspose;
  XlaBuilder b("solve");
  const XlaOp a = ConstantR2<float>(&b, {{2, 99}, {1, 4}});
  const XlaOp column = ConstantR2<float>(&b, {{2}, {9}});
  const XlaOp row = ConstantR2<float>(&b, {{5, 4}});
  EXPECT_EQ(value(TriangularSolve(a, column, true, true, false, kNoTranspose)),
            literal("f32[2,1] {{1}, {2}}"));
  // A unit diagonal is not read.
  EXPECT_EQ(value(TriangularSolve(a, column, true, true, true, kNoTranspose)),
            literal("f32[2,1] {{2}, {7}}"));
  EXPECT_EQ(value(TriangularSolve(a, row, false, true, false, kNoTranspose)),
            literal("f32[1,2] {{2, 1}}"));
  EXPECT_EQ(value(TriangularSolve(a, Reshape(row, {2, 1}), true, true, false,
                                  kTranspose)),
            literal("f32[2,1] {{2}, {1}}"));
  EXPECT_EQ(value(TriangularSolve(a, column, true, true, false, kAdjoint)),
            value(TriangularSolve(a, column, true, true, false, kTranspose)));
}

TEST(OperationSemantics, Fft) {
  XlaBuilder b("fft");
  const auto zeros = [&](Ints dims) {
    return Broadcast(ConstantR0<float>(&b, 0), dims);
  };
  EXPECT_EQ(shape_text(Fft(zeros({16}), FftType::kRfft, {16})), "c64[9]");
  EXPECT_EQ(shape_text(Fft(zeros({17}), FftType::kRfft, {17})), "c64[9]");
  const XlaOp nine = Fft(zeros({16}), FftType::kRfft, {16});
  EXPECT_EQ(shape_text(Fft(nine, FftType::kIrfft, {16})), "f32[16]");
  EXPECT_EQ(shape_text(Fft(nine, FftType::kIrfft, {17})), "f32[17]");
  EXPECT_EQ(shape_text(Fft(zeros({5, 3, 4}), FftType::kRfft, {3, 4})),
            "c64[5,3,3]");
  const XlaOp pulse = Constant(&b, "c64[4] {(1,0), (0,0), (0,0), (0,0)}");
  const XlaOp ones = Constant(&b, "c64[4] {(1,0), (1,0), (1,0), (1,0)}");
  EXPECT_EQ(value(Fft(pulse, FftType::kFft, {4})), value(ones));
  EXPECT_EQ(value(Fft(ones, FftType::kIfft, {4})), value(pulse));
  const XlaOp constant = Constant(&b, "c64[3] {(4,0), (0,0), (0,0)}");
  EXPECT_EQ(value(Fft(constant, FftType::kIrfft, {4})),
            literal("f32[4] {1, 1, 1, 1}"));
}

TEST(OperationSemantics, RngUniform) {
  XlaBuilder b("uniform");
  const Shape shape = Shape::array(ElementType::kS32, {2, 50});
  const XlaOp drawn =
      RngUniform(ConstantR0<int32_t>(&b, 3), ConstantR0<int32_t>(&b, 5), shape);
  const Literal result = evaluate(program(drawn), {});
  EXPECT_EQ(result.shape().dims, shape.dims);
  for (int64_t i = 0; i < result.element_count(); ++i) {
    EXPECT_GE(result.integer(i), 3);
    EXPECT_LT(result.integer(i), 5);
  }
}

TEST(OperationSemantics, RngNormal) {
  XlaBuilder b("normal");
  const XlaOp drawn =
      RngNormal(ConstantR0<float>(&b, 0), ConstantR0<float>(&b, 1),
                Shape::array(ElementType::kF32, {4}));
  EXPECT_EQ(evaluate(program(drawn), {}).element_count(), 4);
  const XlaOp one = ConstantR0<int32_t>(&b, 1);
  EXPECT_EQ(refused_by([&] {
              RngNormal(one, one, Shape::array(ElementType::kS32, {4}));
            }),
            "rng.C3");
}

// The state in the result has the shape of the initial one, and the bits are
// unsigned.
TEST(OperationSemantics, RngBitGenerator) {
  XlaBuilder b("bits");
  const XlaOp key = Constant(&b, "u64[2] {1, 2}");
  const XlaOp bits = RngBitGenerator(RandomAlgorithm::kThreeFry, key,
                                     Shape::array(ElementType::kF32, {4}));
  EXPECT_EQ(shape_text(bits), "(u64[2], u32[4])");
  EXPECT_EQ(value(bits), value(bits));
  EXPECT_NE(value(GetTupleElement(bits, 0)), value(key));
  const XlaOp long_key = Constant(&b, "u64[3] {1, 2, 3}");
  EXPECT_EQ(shape_text(RngBitGenerator(RandomAlgorithm::kPhilox, long_key,
                                       Shape::array(ElementType::kS8, {4}))),
            "(u64[3], u8[4])");
}

}  // namespace
}  // namespace hlo::builder
