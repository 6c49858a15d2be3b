// spec/ops/iota.md
#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/movement.h"
#include "interpreter/numeric/float_format.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"iota_dimension", AttributeKind::kInt, /*required=*/true}};

Shape infer(const Instruction& iota) {
  const Shape& result = given_shape(iota);
  const TypeClass kind = type_class(result.element_type);
  require(kind != TypeClass::kPred && kind != TypeClass::kNone, "iota.C1",
          "the result is an array of integers, floats or complex numbers");
  const auto dimension = iota.get<int64_t>("iota_dimension");
  require(dimension >= 0 && dimension < result.rank(), "iota.C2",
          "iota_dimension is a dimension of the result");
  return result;
}

/// i as an element of `type`: integers wrap, floats round once.
Scalar element(int64_t i, ElementType type) {
  const ElementType component = component_type(type);
  Scalar scalar{type, {static_cast<uint64_t>(i), 0}};
  if (is_float(component)) {
    // Positions are below 2^34, so the double is exact.
    scalar.bits[0] =
        numeric::encode(static_cast<double>(i), numeric::format(component));
  }
  return scalar;
}

Literal count_up(int64_t n, ElementType type) {
  Literal numbers = Literal::uninitialized(Shape::array(type, {n}));
  for (int64_t i = 0; i < n; ++i) numbers.set(i, element(i, type));
  return numbers;
}

Literal eval(const Instruction& iota, Operands, Evaluator& evaluator) {
  const Shape& shape = iota.shape;
  const auto d = static_cast<size_t>(iota.get<int64_t>("iota_dimension"));
  const Literal numbers = count_up(shape.dims[d], shape.element_type);
  Ints source_strides(shape.dims.size(), 0);
  source_strides[d] = 1;
  Movement movement;
  movement.blocks.push_back(
      {0, 0, 0,
       make_axes(shape.dims, source_strides, row_major_strides(shape.dims))});
  return apply(movement, shape, {&numbers, 1}, evaluator);
}

}  // namespace

extern constinit const Op op_iota{
    .name = "iota", .attributes = kAttributes, .infer = infer, .eval = eval};

}  // namespace hlo
