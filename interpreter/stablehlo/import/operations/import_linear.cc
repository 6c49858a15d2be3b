#include "interpreter/stablehlo/import/operations/import_linear.h"

#include <bit>
#include <cmath>

#include "interpreter/numeric/exact/decimal.h"
#include "interpreter/stablehlo/import/importer/instruction_builder.h"

namespace hlo::stablehlo {
namespace {

Values fft(const Conversion& c) {
  return c.make("fft", {{"fft_type", Word{c.word("fft_type", "")}},
                        {"fft_length", c.ints("fft_length")}});
}

Values cholesky(const Conversion& c) {
  return c.make("cholesky", {{"lower", c.flag("lower")}});
}

Values triangular_solve(const Conversion& c) {
  c.need({"left_side", "lower", "unit_diagonal", "transpose_a"});
  return c.make("triangular-solve",
                {{"left_side", c.flag("left_side")},
                 {"lower", c.flag("lower")},
                 {"unit_diagonal", c.flag("unit_diagonal")},
                 {"transpose_a", Word{c.word("transpose_a", "NO_TRANSPOSE")}}});
}

/// The number with a decimal that HLO can say: patterns of bits it cannot.
Decimal epsilon_of(const Conversion& c) {
  const Attribute* attribute = c.find("epsilon");
  const auto* epsilon = attribute == nullptr
                            ? nullptr
                            : std::get_if<FloatNumber>(&attribute->value);
  if (epsilon == nullptr || !std::isfinite(epsilon->value)) {
    c.fail("stablehlo.needs", "epsilon is no number, but must be one");
  }
  const numeric::FloatFormat& f64 = numeric::format(ElementType::kF64);
  if (numeric::from_decimal(epsilon->decimal, f64)) {
    return {epsilon->value, epsilon->decimal};
  }
  return {epsilon->value,
          numeric::to_decimal(std::bit_cast<uint64_t>(epsilon->value), f64)};
}

Values batch_norm(const Conversion& c, std::string_view opcode) {
  return c.make(opcode, {{"epsilon", epsilon_of(c)},
                         {"feature_index", c.integer("feature_index")}});
}

Values batch_norm_training(const Conversion& c) {
  return batch_norm(c, "batch-norm-training");
}

Values batch_norm_inference(const Conversion& c) {
  return batch_norm(c, "batch-norm-inference");
}

Values batch_norm_grad(const Conversion& c) {
  return batch_norm(c, "batch-norm-grad");
}

Values rng(const Conversion& c) {
  const bool normal =
      c.choice("rng_distribution", {"UNIFORM", "NORMAL"}) == "NORMAL";
  return {c.build().add(
      "rng", c.sized_by(2), {c.operand(0), c.operand(1)},
      {{"distribution", Word{normal ? "rng_normal" : "rng_uniform"}}})};
}

Values rng_bit_generator(const Conversion& c) {
  const std::string algorithm =
      c.choice("rng_algorithm", {"DEFAULT", "THREE_FRY", "PHILOX"});
  std::string word = "rng_default";
  if (algorithm == "THREE_FRY") word = "rng_three_fry";
  if (algorithm == "PHILOX") word = "rng_philox";
  return c.make("rng-bit-generator", {{"algorithm", Word{word}}});
}

constexpr ConverterRow kRows[] = {
    {"stablehlo.batch_norm_grad", batch_norm_grad, false, exactly(5)},
    {"stablehlo.batch_norm_inference", batch_norm_inference, false, exactly(5)},
    {"stablehlo.batch_norm_training", batch_norm_training, false, exactly(3)},
    {"stablehlo.cholesky", cholesky, false, exactly(1)},
    {"stablehlo.fft", fft, false, exactly(1)},
    {"stablehlo.rng", rng, false, exactly(3)},
    {"stablehlo.rng_bit_generator", rng_bit_generator, false, exactly(1)},
    {"stablehlo.triangular_solve", triangular_solve, false, exactly(2)},
};

}  // namespace

ConverterRows linear_rows() { return kRows; }

}  // namespace hlo::stablehlo
