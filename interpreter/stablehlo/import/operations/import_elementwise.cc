#include "interpreter/stablehlo/import/operations/import_elementwise.h"

#include <algorithm>
#include <vector>

#include "interpreter/stablehlo/operation_names.h"

namespace hlo::stablehlo {
namespace {

Values rename(const Conversion& c) {
  return c.make(find_name(c.op.name)->opcode);
}

/// HLO's cbrt takes no complex numbers.
Values cbrt(const Conversion& c) {
  const Shape& shape = c.operand_shape(0);
  if (!is_complex(shape.element_type)) return c.make("cbrt");
  return {c.build().add("custom-call", shape, c.operands,
                        {{"custom_call_target", c.op.name}})};
}

/// The maximum or minimum of complex numbers is the one with the greater
/// (lesser) real part or, where these are equal, imaginary part, else the
/// second: HLO orders no complex numbers.
Values extreme(const Conversion& c) {
  const std::string_view opcode = find_name(c.op.name)->opcode;
  if (!is_complex(c.operand_shape(0).element_type)) return c.make(opcode);
  const char* direction = opcode == "maximum" ? "GT" : "LT";
  InstructionBuilder& builder = c.build();
  const auto compared = [&](std::string_view part, const char* how) {
    return builder.add(
        "compare",
        {builder.add(part, {c.operand(0)}), builder.add(part, {c.operand(1)})},
        {{"direction", Word{how}}});
  };
  Instruction* tied =
      builder.add("and", {compared("real", "EQ"), compared("imag", direction)});
  Instruction* first = builder.add("or", {compared("real", direction), tied});
  return {
      builder.add("select", c.shape(), {first, c.operand(0), c.operand(1)})};
}

/// A quantised selection or a tuple of values is one of what is stored.
Values select(const Conversion& c) { return c.make("select"); }

Values compare(const Conversion& c) {
  Attributes attributes = {
      {"direction", Word{c.word("comparison_direction", "")}}};
  const std::string type = c.word("compare_type", "NOTYPE");
  if (type != "NOTYPE") attributes.emplace_back("type", Word{type});
  return c.make("compare", std::move(attributes));
}

Values convert(const Conversion& c) {
  Instruction* operand = c.operand(0);
  const ElementType to = c.shape().element_type;
  if (is_complex(operand->shape.element_type) && !is_complex(to)) {
    operand = c.build().add("real", {operand});
  }
  return {c.build().convert(operand, to)};
}

/// The part of a real number is itself, or zero.
Values real(const Conversion& c) { return c.make("real"); }

Values imag(const Conversion& c) { return c.make("imag"); }

Values reduce_precision(const Conversion& c) {
  return c.make("reduce-precision",
                {{"exponent_bits", c.integer("exponent_bits")},
                 {"mantissa_bits", c.integer("mantissa_bits")}});
}

/// An i1 is one bit here, where HLO's pred has eight: u1 stands for it.
ElementType one_bit(ElementType type) {
  return type == ElementType::kPred ? ElementType::kU1 : type;
}

Values bitcast_convert(const Conversion& c) {
  if (c.operand_shape(0) == c.shape()) return {c.operand(0)};
  InstructionBuilder& builder = c.build();
  const ElementType from = c.operand_shape(0).element_type;
  Shape shape = c.shape();
  const ElementType to = shape.element_type;
  shape.element_type = one_bit(to);
  Instruction* bits = builder.add(
      "bitcast-convert", shape, {builder.convert(c.operand(0), one_bit(from))});
  return {builder.convert(bits, to)};
}

std::vector<ConverterRow> rows() {
  std::vector<ConverterRow> rows = {
      {"stablehlo.bitcast_convert", bitcast_convert, true, exactly(1)},
      {"stablehlo.cbrt", cbrt, false, exactly(1)},
      {"stablehlo.compare", compare},
      {"stablehlo.convert", convert, false, exactly(1)},
      {"stablehlo.imag", imag},
      {"stablehlo.maximum", extreme, false, exactly(2)},
      {"stablehlo.minimum", extreme, false, exactly(2)},
      {"stablehlo.real", real},
      {"stablehlo.reduce_precision", reduce_precision},
      {"stablehlo.select", select, true},
  };
  for (const OperationName& row : operation_names()) {
    const bool is_known =
        std::ranges::find(rows, row.name, &ConverterRow::name) != rows.end();
    if (!is_known) rows.push_back({row.name, rename});
  }
  return rows;
}

}  // namespace

ConverterRows elementwise_rows() {
  static const std::vector<ConverterRow> all = rows();
  return all;
}

}  // namespace hlo::stablehlo
