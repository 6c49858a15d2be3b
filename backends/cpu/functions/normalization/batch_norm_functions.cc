#include "backends/cpu/functions/normalization/batch_norm_functions.h"

#include <array>
#include <charconv>
#include <cmath>

#include "backends/cpu/arrays/wide_numbers.h"
#include "backends/cpu/functions/normalization/batch_features.h"

namespace hlo::cpu {
namespace {

using Reals = std::vector<double>;

/// The f32 nearest to the decimal.
double epsilon_of(const Instruction& instruction) {
  const auto& epsilon = instruction.get<Decimal>("epsilon");
  const char* const end = epsilon.text.data() + epsilon.text.size();
  float value = 0;
  const auto read = std::from_chars(epsilon.text.data(), end, value);
  const bool whole = read.ec == std::errc() && read.ptr == end;
  return whole ? value : static_cast<double>(static_cast<float>(epsilon.value));
}

Reals raised(double by, Reals values) {
  for (double& value : values) value += by;
  return values;
}

/// (x - mean) / sqrt(variance + epsilon) * scale + offset.
Array normalized(const Shape& shape, const Features& features,
                 Operands operands, const Reals& mean, const Reals& variance,
                 double epsilon) {
  const Reals scale = wide_reals(*operands[1]);
  const Reals offset = wide_reals(*operands[2]);
  Reals root(variance.size());
  Reals factor(variance.size());
  for (size_t f = 0; f < root.size(); ++f) {
    root[f] = std::sqrt(variance[f] + epsilon);
    factor[f] = scale[f] / root[f];
  }
  // Factors of numbers of f64 may leave its range, and no others.
  const bool is_wide = shape.element_type == ElementType::kF64;
  const auto result = [&](auto value) {
    return mapped<1>(shape, features, {operands[0]},
                     [&](auto& chunks, int64_t i, int64_t own) {
                       const auto f = static_cast<size_t>(own);
                       return value(chunks[0][i] - mean[f], f) + offset[f];
                     });
  };
  return is_wide ? result([&](double x, size_t f) {
    return x / root[f] * scale[f];
  })
                 : result([&](double x, size_t f) { return x * factor[f]; });
}

Array inference(const Instruction& instruction, Operands operands) {
  const Features features(instruction, operands[0]->shape);
  return normalized(instruction.shape, features, operands,
                    wide_reals(*operands[3]), wide_reals(*operands[4]),
                    epsilon_of(instruction));
}

Array three(const Shape& shape, Array a, const Reals& b, const Reals& c) {
  return tuple_of({std::move(a), rounded(shape.tuple_shapes.at(1), b),
                   rounded(shape.tuple_shapes.at(2), c)});
}

Array training(const Instruction& instruction, Operands operands) {
  const Array& x = *operands[0];
  const Features features(instruction, x.shape);
  const auto n = static_cast<double>(features.elements);
  Reals mean = sums_of<1>(features, {&x}, [](auto& chunks, int64_t i, int64_t) {
    return chunks[0][i];
  });
  for (double& sum : mean) sum /= n;
  Reals variance =
      sums_of<1>(features, {&x}, [&](auto& chunks, int64_t i, int64_t f) {
        const double off = chunks[0][i] - mean[static_cast<size_t>(f)];
        return off * off;
      });
  for (double& sum : variance) sum /= n;
  Array output = normalized(instruction.shape.tuple_shapes.at(0), features,
                            operands, mean, variance, epsilon_of(instruction));
  return three(instruction.shape, std::move(output), mean, variance);
}

Array gradients(const Instruction& instruction, Operands operands) {
  const Features features(instruction, operands[0]->shape);
  const Reals scale = wide_reals(*operands[1]);
  const Reals mean = wide_reals(*operands[2]);
  const Reals variance =
      raised(epsilon_of(instruction), wide_reals(*operands[3]));
  const std::array<const Array*, 2> both = {operands[0], operands[4]};
  const auto n = static_cast<double>(features.elements);
  const Reals s =
      sums_of<2>(features, both, [&](auto& chunks, int64_t i, int64_t f) {
        return chunks[1][i] * (chunks[0][i] - mean[static_cast<size_t>(f)]);
      });
  const Reals g =
      sums_of<1>(features, {operands[4]},
                 [](auto& chunks, int64_t i, int64_t) { return chunks[0][i]; });
  Reals grad_scale(s.size());
  Reals factor(s.size());
  for (size_t f = 0; f < s.size(); ++f) {
    grad_scale[f] = s[f] / std::sqrt(variance[f]);
    factor[f] = scale[f] / std::sqrt(variance[f]) / n;
  }
  Array grad_operand = mapped<2>(
      instruction.shape.tuple_shapes.at(0), features, both,
      [&](auto& chunks, int64_t i, int64_t own) {
        const auto f = static_cast<size_t>(own);
        const double off = chunks[0][i] - mean[f];
        return factor[f] * (n * chunks[1][i] - g[f] - off * s[f] / variance[f]);
      });
  return three(instruction.shape, std::move(grad_operand), grad_scale, g);
}

}  // namespace

Functions batch_norm_functions() {
  return {{"batch-norm-training", training},
          {"batch-norm-inference", inference},
          {"batch-norm-grad", gradients}};
}

}  // namespace hlo::cpu
