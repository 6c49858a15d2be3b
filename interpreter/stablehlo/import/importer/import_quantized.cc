#include "interpreter/stablehlo/import/importer/import_quantized.h"

#include <algorithm>

#include "interpreter/numeric/format/float_codes.h"

namespace hlo::stablehlo {
namespace {

/// An array of the operand's dimensions: one number, or one for each place
/// along the axis.
template <typename Numbers>
Instruction* spread(InstructionBuilder& builder, const Shape& shape,
                    ElementType type, const Quantization& quantization,
                    const Numbers& values) {
  const auto set = [&](Literal& literal, int64_t i) {
    const auto value = values[static_cast<size_t>(i)];
    const Shape scalar = Shape::scalar(type);
    literal.set(i, is_float(type)
                       ? number(scalar, static_cast<double>(value)).scalar()
                       : integer(scalar, static_cast<int64_t>(value)).scalar());
  };
  if (!quantization.axis) {
    Literal one(Shape::scalar(type));
    set(one, 0);
    return builder.broadcast(builder.constant(std::move(one)), shape.dims);
  }
  Literal line(Shape::array(type, {std::ssize(values)}));
  for (int64_t i = 0; i < std::ssize(values); ++i) set(line, i);
  return builder.broadcast(builder.constant(std::move(line)), shape.dims,
                           {*quantization.axis});
}

void check(const InstructionBuilder& builder, const Shape& shape,
           const Quantization& quantization) {
  const bool fits =
      !quantization.axis ||
      (*quantization.axis >= 0 && *quantization.axis < shape.rank() &&
       shape.dims[static_cast<size_t>(*quantization.axis)] ==
           std::ssize(quantization.scales));
  if (fits && !quantization.scales.empty()) return;
  throw Error(Phase::kVerify, "stablehlo.quantized",
              "the scales do not fit: there must be one for each place along "
              "the quantised dimension",
              builder.location);
}

std::pair<int64_t, int64_t> stored_range(const Quantization& quantization) {
  if (quantization.range) return *quantization.range;
  const int width = bits(quantization.storage);
  if (is_unsigned(quantization.storage)) {
    return {0,
            static_cast<int64_t>(~uint64_t{0} >> (64 - std::min(width, 63)))};
  }
  const auto high = static_cast<int64_t>((uint64_t{1} << (width - 1)) - 1);
  return {-high - 1, high};
}

/// What has been made real before, or is quantised behind.
Values same(const Conversion& c) {
  return {c.build().convert(c.operand(0), c.shape().element_type)};
}

constexpr ConverterRow kRows[] = {
    {"stablehlo.uniform_dequantize", same, false, exactly(1)},
    {"stablehlo.uniform_quantize", same, false, exactly(1)},
};

}  // namespace

Instruction* dequantize(InstructionBuilder& builder, Instruction* stored,
                        const Quantization& quantization) {
  const Shape& shape = stored->shape;
  check(builder, shape, quantization);
  constexpr ElementType kWide = ElementType::kS64;
  Instruction* offset = builder.add(
      "subtract",
      {builder.convert(stored, kWide),
       spread(builder, shape, kWide, quantization, quantization.zero_points)});
  return builder.add(
      "multiply", {builder.convert(offset, quantization.expressed),
                   spread(builder, shape, quantization.expressed, quantization,
                          quantization.scales)});
}

Instruction* quantize(InstructionBuilder& builder, Instruction* real,
                      const Quantization& quantization) {
  const Shape& shape = real->shape;
  check(builder, shape, quantization);
  const ElementType type = shape.element_type;
  const auto [low, high] = stored_range(quantization);
  const Shape scalar = Shape::scalar(type);
  Instruction* scaled = builder.add(
      "divide",
      {real, spread(builder, shape, type, quantization, quantization.scales)});
  Instruction* moved =
      builder.add("add", {scaled, spread(builder, shape, type, quantization,
                                         quantization.zero_points)});
  Instruction* clamped = builder.add(
      "clamp",
      {builder.constant(number(scalar, static_cast<double>(low))), moved,
       builder.constant(number(scalar, static_cast<double>(high)))});
  return builder.convert(builder.add("round-nearest-even", {clamped}),
                         quantization.storage);
}

ConverterRows quantized_rows() { return kRows; }

}  // namespace hlo::stablehlo
