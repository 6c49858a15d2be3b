// spec/ops/bitcast_convert.md
#include <algorithm>

#include "interpreter/error.h"
#include "interpreter/rules/op.h"

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

/// Element i of `literal` as `width` bits, the rest zero; or sets it.
uint64_t load(const Literal& literal, int64_t i) {
  return literal.at(i).bits[0];
}

/// The element with the low bits of `value`; a byte but 0 is true.
Scalar element(ElementType type, uint64_t value) {
  const bool is_pred = type == ElementType::kPred;
  return {type, {is_pred ? uint64_t{(value & 0xff) != 0} : value, 0}};
}

// Parts of an element are ordered from its least significant bits on.
void divide_elements(const Literal& source, Literal& result) {
  const int part = width(result.type());
  const int64_t ratio = width(source.type()) / part;
  for (int64_t i = 0; i < source.element_count(); ++i) {
    uint64_t value = load(source, i);
    for (int64_t k = 0; k < ratio; ++k, value >>= part) {
      result.set(i * ratio + k, element(result.type(), value));
    }
  }
}

void join_elements(const Literal& source, Literal& result) {
  const int part = width(source.type());
  const int64_t ratio = width(result.type()) / part;
  for (int64_t i = 0; i < result.element_count(); ++i) {
    uint64_t value = 0;
    for (int64_t k = 0; k < ratio; ++k) {
      value |= load(source, i * ratio + k) << (k * part);
    }
    result.set(i, element(result.type(), value));
  }
}

Literal eval(const Instruction& convert, Operands operands, Evaluator&) {
  const Literal& source = operands[0];
  Literal result(convert.shape);
  const bool whole_bytes = width(source.type()) % 8 == 0 &&
                           width(result.type()) % 8 == 0 &&
                           result.type() != ElementType::kPred;
  if (whole_bytes) {
    std::ranges::copy(source.bytes(), result.mutable_bytes().begin());
  } else if (width(source.type()) >= width(result.type())) {
    divide_elements(source, result);
  } else {
    join_elements(source, result);
  }
  return result;
}

}  // namespace

extern constinit const Op op_bitcast_convert{.name = "bitcast-convert",
                                             .min_operands = 1,
                                             .max_operands = 1,
                                             .infer = infer,
                                             .eval = eval,
                                             .accuracy = {.moves_data = true}};

}  // namespace hlo
