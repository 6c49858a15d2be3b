#include "interpreter/stablehlo/import/operations/import_elementwise.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hlo::stablehlo {
namespace {

/// Operations that differ from HLO's in name alone.
constexpr auto kNames =
    std::to_array<std::pair<std::string_view, std::string_view>>({
        {"stablehlo.abs", "abs"},
        {"stablehlo.add", "add"},
        {"stablehlo.and", "and"},
        {"stablehlo.atan2", "atan2"},
        {"stablehlo.ceil", "ceil"},
        {"stablehlo.clamp", "clamp"},
        {"stablehlo.complex", "complex"},
        {"stablehlo.cosine", "cosine"},
        {"stablehlo.count_leading_zeros", "count-leading-zeros"},
        {"stablehlo.divide", "divide"},
        {"stablehlo.exponential", "exponential"},
        {"stablehlo.exponential_minus_one", "exponential-minus-one"},
        {"stablehlo.floor", "floor"},
        {"stablehlo.is_finite", "is-finite"},
        {"stablehlo.log", "log"},
        {"stablehlo.log_plus_one", "log-plus-one"},
        {"stablehlo.logistic", "logistic"},
        {"stablehlo.maximum", "maximum"},
        {"stablehlo.minimum", "minimum"},
        {"stablehlo.multiply", "multiply"},
        {"stablehlo.negate", "negate"},
        {"stablehlo.not", "not"},
        {"stablehlo.or", "or"},
        {"stablehlo.popcnt", "popcnt"},
        {"stablehlo.power", "power"},
        {"stablehlo.remainder", "remainder"},
        {"stablehlo.round_nearest_afz", "round-nearest-afz"},
        {"stablehlo.round_nearest_even", "round-nearest-even"},
        {"stablehlo.rsqrt", "rsqrt"},
        {"stablehlo.shift_left", "shift-left"},
        {"stablehlo.shift_right_arithmetic", "shift-right-arithmetic"},
        {"stablehlo.shift_right_logical", "shift-right-logical"},
        {"stablehlo.sign", "sign"},
        {"stablehlo.sine", "sine"},
        {"stablehlo.sqrt", "sqrt"},
        {"stablehlo.subtract", "subtract"},
        {"stablehlo.tan", "tan"},
        {"stablehlo.tanh", "tanh"},
        {"stablehlo.xor", "xor"},
    });

Values rename(const Conversion& c) {
  const auto* const row =
      std::ranges::find(kNames, std::string_view(c.op.name),
                        &decltype(kNames)::value_type::first);
  return c.make(row->second);
}

/// HLO's cbrt takes no complex numbers.
Values cbrt(const Conversion& c) {
  const Shape& shape = c.operand_shape(0);
  if (!is_complex(shape.element_type)) return c.make("cbrt");
  return {c.build().add("custom-call", shape, c.operands,
                        {{"custom_call_target", c.op.name}})};
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
      {"stablehlo.bitcast_convert", bitcast_convert, true},
      {"stablehlo.cbrt", cbrt},
      {"stablehlo.compare", compare},
      {"stablehlo.convert", convert},
      {"stablehlo.imag", imag},
      {"stablehlo.real", real},
      {"stablehlo.reduce_precision", reduce_precision},
      {"stablehlo.select", select, true},
  };
  for (const auto& [name, opcode] : kNames) rows.push_back({name, rename});
  return rows;
}

}  // namespace

ConverterRows elementwise_rows() {
  static const std::vector<ConverterRow> all = rows();
  return all;
}

}  // namespace hlo::stablehlo
