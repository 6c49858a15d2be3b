// spec/ops/bitcast_convert.md
#include <algorithm>

#include "interpreter/error.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/sizes/fitting.h"

namespace hlo {
namespace {

int width(ElementType type) {
  return type == ElementType::kPred ? 8 : bits(type);
}

/// The last dimension counts the parts of an element of the wider type.
Shape infer(const Instruction& convert) {
  const Shape& operand = convert.operand_shape(0);
  const ElementType type = given_shape(convert).element_type;
  require(operand.is_array() && is_array_type(type) &&
              is_complex(operand.element_type) == is_complex(type),
          "bitcast-convert.C1",
          {"the operand is ", operand, " and the result's type ", type},
          "both must be arrays, and both of complex types or neither");
  const int from = width(operand.element_type);
  const int to = width(type);
  require(std::max(from, to) % std::min(from, to) == 0, "bitcast-convert.C2",
          {"elements of ", Count{from, "bit"}, " become elements of ",
           Count{to, "bit"}},
          "one width must divide the other");
  Shape result = Shape::array(type, operand.dims);
  result.dynamic = operand.dynamic;
  if (from > to) {
    result.dims.push_back(from / to);
    if (!result.dynamic.empty()) result.dynamic.push_back(false);
  } else if (from < to) {
    require(operand.rank() > 0 && operand.dims.back() == to / from &&
                !operand.is_dynamic(operand.rank() - 1),
            "bitcast-convert.C3",
            {"the operand is ", operand, " and an element of the result has ",
             to / from, " of its elements"},
            "its last dimension must be static and have that size");
    result.dims.pop_back();
    if (!result.dynamic.empty()) result.dynamic.pop_back();
  }
  return result;
}

/// The bits of an element, or of both its parts, from the least significant on.
bool bit(const Scalar& x, int b) {
  const int part = width(component_type(x.type));
  return (x.bits[static_cast<size_t>(b / part)] >> (b % part) & 1) != 0;
}

void set_bit(Scalar& x, int b) {
  const int part = width(component_type(x.type));
  x.bits[static_cast<size_t>(b / part)] |= uint64_t{1} << (b % part);
}

/// Operand and result are the same sequence of bits, but that a byte other than
/// 0 is true.
Literal value(const Instruction& convert, Operands operands, Evaluator&) {
  const ElementType type = convert.shape.element_type;
  const int64_t from = width(operands[0].type());
  const int64_t to = width(type);
  Literal result(convert.shape);
  for (int64_t i = 0; i < result.element_count(); ++i) {
    Scalar element{type, {}};
    for (int b = 0; b < to; ++b) {
      const int64_t at = i * to + b;
      const bool is_set =
          bit(operands[0].at(at / from), static_cast<int>(at % from));
      if (is_set) set_bit(element, b);
    }
    const bool is_true = element.bits[0] != 0;
    if (type == ElementType::kPred) element.bits[0] = is_true ? 1 : 0;
    result.set(i, element);
  }
  return result;
}

}  // namespace

extern constinit const Op op_bitcast_convert{.name = "bitcast-convert",
                                             .form = Form::kBits,
                                             .min_operands = 1,
                                             .max_operands = 1,
                                             .infer = infer,
                                             .moving = {.operands = 1},
                                             .value = value,
                                             .accuracy = {.moves_data = true},
                                             .fit = fit_shapes};

}  // namespace hlo
