#pragma once

#include <string_view>

#include "interpreter/builder/builder.h"

// Operations on each element. Errors: the rules of the operation's page, and
// broadcasting.C1 ... where operands do not go together.

namespace hlo::builder {

// Two operands of different shapes are broadcast (spec/broadcasting.md):
// `broadcast_dimensions` says to which dimensions those of the operand of lower
// rank go; empty where both have one rank or one is a scalar.
XlaOp Binary(std::string_view opcode, XlaOp lhs, XlaOp rhs,
             const Ints& broadcast_dimensions = {});
XlaOp Add(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp Sub(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp Mul(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp Div(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp Rem(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp Max(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp Min(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp And(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp Or(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp Xor(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp LogicalAnd(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp LogicalOr(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp Pow(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp Atan2(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp Complex(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp MulHi(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp ShiftLeft(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp ShiftRightArithmetic(XlaOp lhs, XlaOp rhs,
                           const Ints& broadcast_dimensions = {});
XlaOp ShiftRightLogical(XlaOp lhs, XlaOp rhs,
                        const Ints& broadcast_dimensions = {});

enum class ComparisonDirection : uint8_t { kEq, kNe, kGe, kGt, kLe, kLt };

// Operands go together as above; the result is of type pred. In the total order
// floats stand as -NaN < -Inf < -Finite < -0 < +0 < +Finite < +Inf < +NaN.
XlaOp Compare(XlaOp lhs, XlaOp rhs, ComparisonDirection direction,
              const Ints& broadcast_dimensions = {},
              bool is_total_order = false);
XlaOp Eq(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp Ne(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp Ge(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp Gt(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp Le(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp Lt(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp EqTotalOrder(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp NeTotalOrder(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp GeTotalOrder(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp GtTotalOrder(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp LeTotalOrder(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});
XlaOp LtTotalOrder(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions = {});

// The result has the operand's dimensions.
XlaOp Unary(std::string_view opcode, XlaOp operand);
XlaOp Abs(XlaOp operand);
XlaOp Acos(XlaOp operand);
XlaOp Acosh(XlaOp operand);
XlaOp Asin(XlaOp operand);
XlaOp Asinh(XlaOp operand);
XlaOp Atanh(XlaOp operand);
XlaOp Cbrt(XlaOp operand);
XlaOp Ceil(XlaOp operand);
XlaOp Clz(XlaOp operand);
XlaOp Copy(XlaOp operand);
XlaOp Cos(XlaOp operand);
XlaOp Cosh(XlaOp operand);
XlaOp Erf(XlaOp operand);
XlaOp Exp(XlaOp operand);
XlaOp Expm1(XlaOp operand);
XlaOp Floor(XlaOp operand);
XlaOp Imag(XlaOp operand);
XlaOp IsFinite(XlaOp operand);
XlaOp Log(XlaOp operand);
XlaOp Log1p(XlaOp operand);
XlaOp LogicalNot(XlaOp operand);
XlaOp Logistic(XlaOp operand);
XlaOp Neg(XlaOp operand);
XlaOp Not(XlaOp operand);
XlaOp PopulationCount(XlaOp operand);
XlaOp Real(XlaOp operand);
XlaOp Round(XlaOp operand);
XlaOp RoundNearestEven(XlaOp operand);
XlaOp Rsqrt(XlaOp operand);
XlaOp Sign(XlaOp operand);
XlaOp Sin(XlaOp operand);
XlaOp Sinh(XlaOp operand);
XlaOp Sqrt(XlaOp operand);
XlaOp Tan(XlaOp operand);
XlaOp Tanh(XlaOp operand);
XlaOp OptimizationBarrier(XlaOp operand);
/// The complex conjugate.
XlaOp Conj(XlaOp operand);
XlaOp ReducePrecision(XlaOp operand, int64_t exponent_bits,
                      int64_t mantissa_bits);
XlaOp ConvertElementType(XlaOp operand, ElementType type);
/// The bits of the elements as elements of another type: where that is n times
/// narrower there is a new last dimension of n, where it is wider the last
/// dimension goes.
XlaOp BitcastConvertType(XlaOp operand, ElementType type);
/// Rounds up or down by chance; `random` are unsigned integers as wide as the
/// operand's elements.
XlaOp StochasticConvertType(XlaOp operand, XlaOp random, ElementType type);

// Bounds and conditions that are scalars are broadcast.
XlaOp Clamp(XlaOp min, XlaOp operand, XlaOp max);
XlaOp Select(XlaOp pred, XlaOp on_true, XlaOp on_false);

}  // namespace hlo::builder
