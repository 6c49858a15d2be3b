// spec/ops/iota.md
#include "interpreter/definition/numbers/element_conversion.h"
#include "interpreter/error.h"
#include "interpreter/rules/op.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"iota_dimension", AttributeKind::kInt, /*required=*/true}};

Shape infer(const Instruction& iota) {
  const Shape& result = given_shape(iota);
  const TypeClass kind = type_class(result.element_type);
  require(kind != TypeClass::kPred && kind != TypeClass::kNone, "iota.C1",
          {"the result is ", result},
          "it must be an array of integers, floats or complex numbers");
  const auto dimension = iota.get<int64_t>("iota_dimension");
  require(dimension >= 0 && dimension < result.rank(), "iota.C2",
          {"iota_dimension is ", dimension, " for the result ", result},
          "it must be one of its dimensions");
  return result;
}

/// The number i as an element of the type, rounded or wrapped.
Scalar number(int64_t i, ElementType type) {
  const Scalar integer{ElementType::kS64, {static_cast<uint64_t>(i), 0}};
  const Scalar real = definition::convert(integer, component_type(type));
  return {type, {real.bits[0], 0}};
}

/// Each element is its index along iota_dimension.
Literal value(const Instruction& iota, Operands, Evaluator&) {
  const Shape& shape = iota.shape;
  const auto d = static_cast<size_t>(iota.get<int64_t>("iota_dimension"));
  Literal result(shape);
  for (int64_t i = 0; i < result.element_count(); ++i) {
    result.set(i, number(delinearize(i, shape.dims)[d], shape.element_type));
  }
  return result;
}

constexpr std::string_view kWords[] = {"the index along iota_dimension"};

}  // namespace

extern constinit const Op op_iota{.name = "iota",
                                  .attributes = kAttributes,
                                  .infer = infer,
                                  .value = value,
                                  .words = kWords};

}  // namespace hlo
