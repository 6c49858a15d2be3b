// The document "Operation semantics": its examples of operations on elements.
#include "interpreter/builder/testing/builder_case.h"

namespace hlo::builder {
namespace {

TEST(OperationSemantics, BitcastConvertType) {
  XlaBuilder b("bitcast");
  const Shape ten = Shape::array(ElementType::kF32, {10});
  const XlaOp x = Parameter(&b, 0, ten, "input");
  const XlaOp halves = BitcastConvertType(x, ElementType::kF16);
  EXPECT_EQ(shape_text(halves), "f16[10,2]");
  EXPECT_EQ(shape_text(BitcastConvertType(halves, ElementType::kF32)),
            "f32[10]");
  const XlaOp scalar = ConstantR0<float>(&b, 1);
  EXPECT_EQ(shape_text(BitcastConvertType(scalar, ElementType::kF16)),
            "f16[2]");
}

TEST(OperationSemantics, BitcastConvertTypeKeepsBits) {
  XlaBuilder b("bitcast");
  const XlaOp one = ConstantR0<int32_t>(&b, 0x01020304);
  EXPECT_EQ(value(BitcastConvertType(one, ElementType::kS8)),
            literal("s8[4] {4, 3, 2, 1}"));
  EXPECT_EQ(value(BitcastConvertType(ConstantR0<int32_t>(&b, 0x3f800000),
                                     ElementType::kF32)),
            literal("f32[] 1"));
}

TEST(OperationSemantics, Clamp) {
  XlaBuilder b("clamp");
  const XlaOp operand = ConstantR1<int32_t>(&b, {-1, 5, 9});
  const XlaOp min = ConstantR0<int32_t>(&b, 0);
  const XlaOp max = ConstantR0<int32_t>(&b, 6);
  EXPECT_EQ(value(Clamp(min, operand, max)), literal("s32[3] {0, 5, 6}"));
}

TEST(OperationSemantics, ConvertElementType) {
  XlaBuilder b("convert");
  const XlaOp a = ConstantR1<int32_t>(&b, {0, 1, 2});
  EXPECT_EQ(value(ConvertElementType(a, ElementType::kF32)),
            literal("f32[3] {0.0, 1.0, 2.0}"));
}

TEST(OperationSemantics, ElementwiseBinaryArithmetic) {
  XlaBuilder b("arithmetic");
  const XlaOp x = ConstantR1<int32_t>(&b, {7, -7, 7, -7});
  const XlaOp y = ConstantR1<int32_t>(&b, {3, 3, -3, -3});
  EXPECT_EQ(value(Add(x, y)), literal("s32[4] {10, -4, 4, -10}"));
  EXPECT_EQ(value(Sub(x, y)), literal("s32[4] {4, -10, 10, -4}"));
  EXPECT_EQ(value(Mul(x, y)), literal("s32[4] {21, -21, -21, 21}"));
  EXPECT_EQ(value(Div(x, y)), literal("s32[4] {2, -2, -2, 2}"));
  // The sign of the dividend.
  EXPECT_EQ(value(Rem(x, y)), literal("s32[4] {1, -1, 1, -1}"));
  EXPECT_EQ(value(Max(x, y)), literal("s32[4] {7, 3, 7, -3}"));
  EXPECT_EQ(value(Min(x, y)), literal("s32[4] {3, -7, -3, -7}"));
  const XlaOp p = Constant(&b, "pred[4] {1, 1, 0, 0}");
  const XlaOp q = Constant(&b, "pred[4] {1, 0, 1, 0}");
  EXPECT_EQ(value(LogicalAnd(p, q)), literal("pred[4] {1, 0, 0, 0}"));
  EXPECT_EQ(value(LogicalOr(p, q)), literal("pred[4] {1, 1, 1, 0}"));
  EXPECT_EQ(value(Xor(p, q)), literal("pred[4] {0, 1, 1, 0}"));
}

TEST(OperationSemantics, ElementwiseBinaryOthers) {
  XlaBuilder b("others");
  const XlaOp x = ConstantR1<int32_t>(&b, {-8, 9});
  const XlaOp one = ConstantR0<int32_t>(&b, 1);
  EXPECT_EQ(value(ShiftLeft(x, one)), literal("s32[2] {-16, 18}"));
  EXPECT_EQ(value(ShiftRightArithmetic(x, one)), literal("s32[2] {-4, 4}"));
  EXPECT_EQ(value(ShiftRightLogical(x, one)),
            literal("s32[2] {2147483644, 4}"));
  EXPECT_EQ(value(Pow(x, ConstantR0<int32_t>(&b, 3))),
            literal("s32[2] {-512, 729}"));
  EXPECT_EQ(value(And(x, ConstantR0<int32_t>(&b, 12))),
            literal("s32[2] {8, 8}"));
  EXPECT_EQ(value(Or(x, one)), literal("s32[2] {-7, 9}"));
  EXPECT_EQ(
      value(MulHi(ConstantR0<uint8_t>(&b, 200), ConstantR0<uint8_t>(&b, 100))),
      literal("u8[] 78"));
  const XlaOp re = ConstantR0<float>(&b, 3);
  const XlaOp im = ConstantR0<float>(&b, 4);
  EXPECT_EQ(value(Complex(re, im)), literal("c64[] (3, 4)"));
  EXPECT_EQ(value(Conj(Complex(re, im))), literal("c64[] (3, -4)"));
  EXPECT_EQ(value(Atan2(ConstantR0<float>(&b, 0), re)), literal("f32[] 0"));
}

TEST(OperationSemantics, ElementwiseBinaryWithBroadcastDimensions) {
  XlaBuilder b("broadcast");
  const XlaOp x = ConstantR2<float>(&b, {{1, 2, 3}, {4, 5, 6}});
  const XlaOp v = ConstantR1<float>(&b, {7, 8, 9});
  EXPECT_EQ(value(Add(x, v, {1})),
            literal("f32[2,3] {{8, 10, 12}, {11, 13, 15}}"));
  EXPECT_EQ(value(Gt(x, v, {1})), literal("pred[2,3] {{0, 0, 0}, {0, 0, 0}}"));
  EXPECT_EQ(refused_by([&] { Add(x, v); }), "broadcasting.C2");
}

TEST(OperationSemantics, ElementwiseComparison) {
  XlaBuilder b("compare");
  const XlaOp x = ConstantR1<int32_t>(&b, {1, 2, 3});
  const XlaOp two = ConstantR0<int32_t>(&b, 2);
  EXPECT_EQ(value(Eq(x, two)), literal("pred[3] {0, 1, 0}"));
  EXPECT_EQ(value(Ne(x, two)), literal("pred[3] {1, 0, 1}"));
  EXPECT_EQ(value(Ge(x, two)), literal("pred[3] {0, 1, 1}"));
  EXPECT_EQ(value(Gt(x, two)), literal("pred[3] {0, 0, 1}"));
  EXPECT_EQ(value(Le(x, two)), literal("pred[3] {1, 1, 0}"));
  EXPECT_EQ(value(Lt(x, two)), literal("pred[3] {1, 0, 0}"));
  EXPECT_EQ(value(LtTotalOrder(x, two)), literal("pred[3] {1, 0, 0}"));
}

// -NaN < -Inf < -Finite < -0 < +0 < +Finite < +Inf < +NaN.
TEST(OperationSemantics, ElementwiseComparisonInTotalOrder) {
  XlaBuilder b("order");
  const XlaOp x = Constant(&b, "f32[7] {-nan, -inf, -1, -0, 0, 1, inf}");
  const XlaOp y = Constant(&b, "f32[7] {-inf, -1, -0, 0, 1, inf, nan}");
  const std::string all = literal("pred[7] {1, 1, 1, 1, 1, 1, 1}");
  const std::string none = literal("pred[7] {0, 0, 0, 0, 0, 0, 0}");
  EXPECT_EQ(value(LtTotalOrder(x, y)), all);
  EXPECT_EQ(value(LeTotalOrder(x, y)), all);
  EXPECT_EQ(value(GtTotalOrder(y, x)), all);
  EXPECT_EQ(value(GeTotalOrder(x, y)), none);
  EXPECT_EQ(value(EqTotalOrder(x, x)), all);
  EXPECT_EQ(value(NeTotalOrder(x, y)), all);
  EXPECT_EQ(value(Lt(x, y)), literal("pred[7] {0, 1, 1, 0, 1, 1, 0}"));
}

TEST(OperationSemantics, ElementwiseUnaryFunctions) {
  XlaBuilder b("unary");
  const XlaOp x = Constant(&b, "f32[6] {-2.5, -1.5, -0.5, 0.5, 1.5, 2.5}");
  EXPECT_EQ(value(Abs(x)), literal("f32[6] {2.5, 1.5, 0.5, 0.5, 1.5, 2.5}"));
  EXPECT_EQ(value(Ceil(x)), literal("f32[6] {-2, -1, -0, 1, 2, 3}"));
  EXPECT_EQ(value(Floor(x)), literal("f32[6] {-3, -2, -1, 0, 1, 2}"));
  EXPECT_EQ(value(Round(x)), literal("f32[6] {-3, -2, -1, 1, 2, 3}"));
  EXPECT_EQ(value(RoundNearestEven(x)),
            literal("f32[6] {-2, -2, -0, 0, 2, 2}"));
  EXPECT_EQ(value(Neg(x)), literal("f32[6] {2.5, 1.5, 0.5, -0.5, -1.5, -2.5}"));
  EXPECT_EQ(value(Real(x)), value(x));
  EXPECT_EQ(value(Imag(x)), literal("f32[6] {0, 0, 0, 0, 0, 0}"));
  EXPECT_EQ(value(PopulationCount(ConstantR1<uint32_t>(&b, {0, 7, 256}))),
            literal("u32[3] {0, 3, 1}"));
  EXPECT_EQ(value(Clz(ConstantR1<uint32_t>(&b, {0, 7}))),
            literal("u32[2] {32, 29}"));
  EXPECT_EQ(value(LogicalNot(Constant(&b, "pred[2] {1, 0}"))),
            literal("pred[2] {0, 1}"));
  EXPECT_EQ(value(Not(ConstantR0<int32_t>(&b, 5))), literal("s32[] -6"));
}

TEST(OperationSemantics, ElementwiseUnaryFunctionsOfExactValues) {
  XlaBuilder b("exact");
  const XlaOp zero = ConstantR0<float>(&b, 0);
  const XlaOp one = ConstantR0<float>(&b, 1);
  const XlaOp four = ConstantR0<float>(&b, 4);
  for (const auto& f : {Sin, Sinh, Tan, Tanh, Asin, Asinh, Atanh, Expm1, Log1p,
                        Erf, Sqrt, Cbrt}) {
    EXPECT_EQ(value(f(zero)), literal("f32[] 0"));
  }
  for (const auto& f : {Cos, Cosh, Exp}) {
    EXPECT_EQ(value(f(zero)), literal("f32[] 1"));
  }
  for (const auto& f : {Acos, Acosh, Log}) {
    EXPECT_EQ(value(f(one)), literal("f32[] 0"));
  }
  EXPECT_EQ(value(Logistic(zero)), literal("f32[] 0.5"));
  EXPECT_EQ(value(Sqrt(four)), literal("f32[] 2"));
  EXPECT_EQ(value(Rsqrt(four)), literal("f32[] 0.5"));
  EXPECT_EQ(value(Cbrt(ConstantR0<float>(&b, 27))), literal("f32[] 3"));
  EXPECT_EQ(value(Copy(four)), literal("f32[] 4"));
}

TEST(OperationSemantics, ElementwiseIsFiniteAndSign) {
  XlaBuilder b("special");
  const XlaOp x = Constant(&b, "f32[7] {-3, -0, 0, 3, inf, -inf, nan}");
  EXPECT_EQ(value(IsFinite(x)), literal("pred[7] {1, 1, 1, 1, 0, 0, 0}"));
  EXPECT_EQ(value(Sign(x)), literal("f32[7] {-1, -0, 0, 1, 1, -1, nan}"));
}

TEST(OperationSemantics, OptimizationBarrier) {
  XlaBuilder b("barrier");
  const XlaOp pair =
      Tuple(&b, {ConstantR0<float>(&b, 1), ConstantR0<int32_t>(&b, 2)});
  EXPECT_EQ(value(OptimizationBarrier(pair)), value(pair));
}

TEST(OperationSemantics, ReducePrecision) {
  XlaBuilder b("precision");
  const XlaOp x =
      Constant(&b, "f32[4] {1.0009765625, 1.00048828125, 65536, nan}");
  // IEEE-FP16: ties to even, beyond its range infinity.
  EXPECT_EQ(value(ReducePrecision(x, 5, 10)),
            literal("f32[4] {1.0009765625, 1, inf, nan}"));
  EXPECT_EQ(value(ReducePrecision(x, 8, 23)), value(x));
}

TEST(OperationSemantics, Select) {
  XlaBuilder b("select");
  const XlaOp v1 = ConstantR1<int32_t>(&b, {1, 2, 3, 4});
  const XlaOp v2 = ConstantR1<int32_t>(&b, {100, 200, 300, 400});
  const XlaOp pred = Constant(&b, "pred[4] {true, false, false, true}");
  EXPECT_EQ(value(Select(pred, v1, v2)), literal("s32[4] {1, 200, 300, 4}"));
  const XlaOp yes = ConstantR0<bool>(&b, true);
  EXPECT_EQ(value(Select(yes, v1, v2)), literal("s32[4] {1, 2, 3, 4}"));
  const XlaOp no = ConstantR0<bool>(&b, false);
  EXPECT_EQ(value(Select(no, v1, v2)), literal("s32[4] {100, 200, 300, 400}"));
}

}  // namespace
}  // namespace hlo::builder
