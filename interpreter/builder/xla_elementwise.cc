#include "interpreter/builder/xla_elementwise.h"

#include <array>

#include "interpreter/builder/broadcasting.h"
#include "interpreter/rules/op.h"

namespace hlo::builder {
namespace {

using enum ComparisonDirection;

XlaOp apply(XlaOp operand, const std::vector<BroadcastStep>& steps) {
  for (const BroadcastStep& step : steps) {
    operand = step.kind == BroadcastStep::Kind::kReshape
                  ? operand.builder().add("reshape", {operand}, {}, step.shape)
                  : operand.builder().add("broadcast", {operand},
                                          {{"dimensions", step.dimensions}},
                                          step.shape);
  }
  return operand;
}

struct Pair {
  XlaOp lhs;
  XlaOp rhs;
};

/// Both with the dimensions of the result. Operands that are no arrays are left
/// to the rules of the operation.
Pair broadcast(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  if (!lhs.shape().is_array() || !rhs.shape().is_array()) return {lhs, rhs};
  const BroadcastPlan plan =
      plan_broadcast(lhs.shape(), rhs.shape(), broadcast_dimensions);
  return {apply(lhs, plan.lhs), apply(rhs, plan.rhs)};
}

/// A scalar with the dimensions of `like`; anything else as it is.
XlaOp broadcast_scalar(XlaOp scalar, XlaOp like) {
  const Shape& shape = like.shape();
  if (!scalar.shape().is_scalar() || !shape.is_array() || shape.is_scalar()) {
    return scalar;
  }
  Shape wide = shape;
  wide.layout.reset();
  wide.element_type = scalar.shape().element_type;
  return scalar.builder().add("broadcast", {scalar}, {{"dimensions", Ints{}}},
                              wide);
}

/// The dimensions of the operand, without its layout.
Shape with_type(const XlaOp& operand, ElementType type) {
  Shape shape = operand.shape();
  shape.layout.reset();
  shape.element_type = type;
  return shape;
}

int64_t width(ElementType type) {
  return type == ElementType::kPred ? 8 : bits(type);
}

}  // namespace

XlaOp Binary(std::string_view opcode, XlaOp lhs, XlaOp rhs,
             const Ints& broadcast_dimensions) {
  const auto [left, right] = broadcast(lhs, rhs, broadcast_dimensions);
  return lhs.builder().add(opcode, {left, right});
}

XlaOp Add(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Binary("add", lhs, rhs, broadcast_dimensions);
}

XlaOp Sub(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Binary("subtract", lhs, rhs, broadcast_dimensions);
}

XlaOp Mul(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Binary("multiply", lhs, rhs, broadcast_dimensions);
}

XlaOp Div(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Binary("divide", lhs, rhs, broadcast_dimensions);
}

XlaOp Rem(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Binary("remainder", lhs, rhs, broadcast_dimensions);
}

XlaOp Max(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Binary("maximum", lhs, rhs, broadcast_dimensions);
}

XlaOp Min(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Binary("minimum", lhs, rhs, broadcast_dimensions);
}

XlaOp And(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Binary("and", lhs, rhs, broadcast_dimensions);
}

XlaOp Or(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Binary("or", lhs, rhs, broadcast_dimensions);
}

XlaOp Xor(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Binary("xor", lhs, rhs, broadcast_dimensions);
}

XlaOp LogicalAnd(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Binary("and", lhs, rhs, broadcast_dimensions);
}

XlaOp LogicalOr(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Binary("or", lhs, rhs, broadcast_dimensions);
}

XlaOp Pow(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Binary("power", lhs, rhs, broadcast_dimensions);
}

XlaOp Atan2(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Binary("atan2", lhs, rhs, broadcast_dimensions);
}

XlaOp Complex(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Binary("complex", lhs, rhs, broadcast_dimensions);
}

XlaOp MulHi(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Binary("mulhi", lhs, rhs, broadcast_dimensions);
}

XlaOp ShiftLeft(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Binary("shift-left", lhs, rhs, broadcast_dimensions);
}

XlaOp ShiftRightArithmetic(XlaOp lhs, XlaOp rhs,
                           const Ints& broadcast_dimensions) {
  return Binary("shift-right-arithmetic", lhs, rhs, broadcast_dimensions);
}

XlaOp ShiftRightLogical(XlaOp lhs, XlaOp rhs,
                        const Ints& broadcast_dimensions) {
  return Binary("shift-right-logical", lhs, rhs, broadcast_dimensions);
}

XlaOp Compare(XlaOp lhs, XlaOp rhs, ComparisonDirection direction,
              const Ints& broadcast_dimensions, bool is_total_order) {
  constexpr std::array kWords = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  const auto [left, right] = broadcast(lhs, rhs, broadcast_dimensions);
  Attributes attributes = {
      {"direction", Word{kWords.at(static_cast<size_t>(direction))}}};
  if (is_total_order && is_float(lhs.shape().element_type)) {
    attributes.emplace_back("type", Word{"TOTALORDER"});
  }
  return lhs.builder().add("compare", {left, right}, std::move(attributes));
}

XlaOp Eq(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Compare(lhs, rhs, kEq, broadcast_dimensions);
}

XlaOp Ne(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Compare(lhs, rhs, kNe, broadcast_dimensions);
}

XlaOp Ge(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Compare(lhs, rhs, kGe, broadcast_dimensions);
}

XlaOp Gt(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Compare(lhs, rhs, kGt, broadcast_dimensions);
}

XlaOp Le(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Compare(lhs, rhs, kLe, broadcast_dimensions);
}

XlaOp Lt(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Compare(lhs, rhs, kLt, broadcast_dimensions);
}

XlaOp EqTotalOrder(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Compare(lhs, rhs, kEq, broadcast_dimensions, true);
}

XlaOp NeTotalOrder(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Compare(lhs, rhs, kNe, broadcast_dimensions, true);
}

XlaOp GeTotalOrder(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Compare(lhs, rhs, kGe, broadcast_dimensions, true);
}

XlaOp GtTotalOrder(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Compare(lhs, rhs, kGt, broadcast_dimensions, true);
}

XlaOp LeTotalOrder(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Compare(lhs, rhs, kLe, broadcast_dimensions, true);
}

XlaOp LtTotalOrder(XlaOp lhs, XlaOp rhs, const Ints& broadcast_dimensions) {
  return Compare(lhs, rhs, kLt, broadcast_dimensions, true);
}

XlaOp Unary(std::string_view opcode, XlaOp operand) {
  return operand.builder().add(opcode, {operand});
}

XlaOp Abs(XlaOp operand) { return Unary("abs", operand); }

XlaOp Acos(XlaOp operand) { return Unary("acos", operand); }

XlaOp Acosh(XlaOp operand) { return Unary("acosh", operand); }

XlaOp Asin(XlaOp operand) { return Unary("asin", operand); }

XlaOp Asinh(XlaOp operand) { return Unary("asinh", operand); }

XlaOp Atanh(XlaOp operand) { return Unary("atanh", operand); }

XlaOp Cbrt(XlaOp operand) { return Unary("cbrt", operand); }

XlaOp Ceil(XlaOp operand) { return Unary("ceil", operand); }

XlaOp Clz(XlaOp operand) { return Unary("count-leading-zeros", operand); }

XlaOp Copy(XlaOp operand) { return Unary("copy", operand); }

XlaOp Cos(XlaOp operand) { return Unary("cosine", operand); }

XlaOp Cosh(XlaOp operand) { return Unary("cosh", operand); }

XlaOp Erf(XlaOp operand) { return Unary("erf", operand); }

XlaOp Exp(XlaOp operand) { return Unary("exponential", operand); }

XlaOp Expm1(XlaOp operand) { return Unary("exponential-minus-one", operand); }

XlaOp Floor(XlaOp operand) { return Unary("floor", operand); }

XlaOp Imag(XlaOp operand) { return Unary("imag", operand); }

XlaOp IsFinite(XlaOp operand) { return Unary("is-finite", operand); }

XlaOp Log(XlaOp operand) { return Unary("log", operand); }

XlaOp Log1p(XlaOp operand) { return Unary("log-plus-one", operand); }

XlaOp LogicalNot(XlaOp operand) { return Unary("not", operand); }

XlaOp Logistic(XlaOp operand) { return Unary("logistic", operand); }

XlaOp Neg(XlaOp operand) { return Unary("negate", operand); }

XlaOp Not(XlaOp operand) { return Unary("not", operand); }

XlaOp PopulationCount(XlaOp operand) { return Unary("popcnt", operand); }

XlaOp Real(XlaOp operand) { return Unary("real", operand); }

XlaOp Round(XlaOp operand) { return Unary("round-nearest-afz", operand); }

XlaOp RoundNearestEven(XlaOp operand) {
  return Unary("round-nearest-even", operand);
}

XlaOp Rsqrt(XlaOp operand) { return Unary("rsqrt", operand); }

XlaOp Sign(XlaOp operand) { return Unary("sign", operand); }

XlaOp Sin(XlaOp operand) { return Unary("sine", operand); }

XlaOp Sinh(XlaOp operand) { return Unary("sinh", operand); }

XlaOp Sqrt(XlaOp operand) { return Unary("sqrt", operand); }

XlaOp Tan(XlaOp operand) { return Unary("tan", operand); }

XlaOp Tanh(XlaOp operand) { return Unary("tanh", operand); }

XlaOp OptimizationBarrier(XlaOp operand) {
  return Unary("opt-barrier", operand);
}

XlaOp Conj(XlaOp operand) { return Complex(Real(operand), Neg(Imag(operand))); }

XlaOp ReducePrecision(XlaOp operand, int64_t exponent_bits,
                      int64_t mantissa_bits) {
  return operand.builder().add(
      "reduce-precision", {operand},
      {{"exponent_bits", exponent_bits}, {"mantissa_bits", mantissa_bits}});
}

XlaOp ConvertElementType(XlaOp operand, ElementType type) {
  return operand.builder().add("convert", {operand}, {},
                               with_type(operand, type));
}

XlaOp BitcastConvertType(XlaOp operand, ElementType type) {
  Shape shape = with_type(operand, type);
  if (operand.shape().is_array() && is_array_type(type)) {
    const int64_t from = width(operand.shape().element_type);
    const int64_t to = width(type);
    if (from > to) {
      shape.dims.push_back(from / to);
      if (!shape.dynamic.empty()) shape.dynamic.push_back(false);
    } else if (from < to && shape.rank() > 0) {
      shape.dims.pop_back();
      if (!shape.dynamic.empty()) shape.dynamic.pop_back();
    }
  }
  return operand.builder().add("bitcast-convert", {operand}, {}, shape);
}

XlaOp StochasticConvertType(XlaOp operand, XlaOp random, ElementType type) {
  return operand.builder().add("stochastic-convert", {operand, random}, {},
                               with_type(operand, type));
}

XlaOp Clamp(XlaOp min, XlaOp operand, XlaOp max) {
  return operand.builder().add("clamp",
                               {broadcast_scalar(min, operand), operand,
                                broadcast_scalar(max, operand)});
}

XlaOp Select(XlaOp pred, XlaOp on_true, XlaOp on_false) {
  return pred.builder().add(
      "select", {broadcast_scalar(pred, on_true), on_true, on_false});
}

}  // namespace hlo::builder
