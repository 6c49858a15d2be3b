#include "backends/cpu/functions/normalization/batch_norm_functions.h"

#include <charconv>
#include <cmath>

#include "backends/cpu/arrays/wide_numbers.h"

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

/// Which feature each element belongs to.
struct Features {
  int64_t count;
  int64_t inner;     // elements that lie beside each other
  int64_t elements;  // of each feature

  Features(const Instruction& instruction, const Shape& shape) {
    const auto d =
        static_cast<size_t>(instruction.get<int64_t>("feature_index"));
    count = shape.dims[d];
    inner = std::max<int64_t>(row_major_strides(shape.dims)[d], 1);
    elements = count == 0 ? 0 : shape.element_count() / count;
  }

  size_t of(size_t i) const {
    return static_cast<size_t>(static_cast<int64_t>(i) / inner % count);
  }

  /// The sum over each feature of term(element, feature).
  template <typename Term>
  Reals sums(size_t all, Term term) const {
    Reals result(static_cast<size_t>(count));
    for (size_t i = 0; i < all; ++i) result[of(i)] += term(i, of(i));
    return result;
  }
};

/// (x - mean) / sqrt(variance + epsilon) * scale + offset.
Reals normalized(const Reals& x, const Features& features, const Reals& mean,
                 const Reals& variance, double epsilon, const Reals& scale,
                 const Reals& offset) {
  Reals result(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t f = features.of(i);
    result[i] = (x[i] - mean[f]) / std::sqrt(variance[f] + epsilon) * scale[f] +
                offset[f];
  }
  return result;
}

Array inference(const Instruction& instruction, Operands operands) {
  const Features features(instruction, operands[0]->shape);
  return rounded(
      instruction.shape,
      normalized(wide_reals(*operands[0]), features, wide_reals(*operands[3]),
                 wide_reals(*operands[4]), epsilon_of(instruction),
                 wide_reals(*operands[1]), wide_reals(*operands[2])));
}

Array three(const Shape& shape, const Reals& a, const Reals& b,
            const Reals& c) {
  return tuple_of({rounded(shape.tuple_shapes.at(0), a),
                   rounded(shape.tuple_shapes.at(1), b),
                   rounded(shape.tuple_shapes.at(2), c)});
}

Array training(const Instruction& instruction, Operands operands) {
  const Features features(instruction, operands[0]->shape);
  const Reals x = wide_reals(*operands[0]);
  const auto n = static_cast<double>(features.elements);
  Reals mean = features.sums(x.size(), [&](size_t i, size_t) { return x[i]; });
  for (double& sum : mean) sum /= n;
  Reals variance = features.sums(x.size(), [&](size_t i, size_t f) {
    return (x[i] - mean[f]) * (x[i] - mean[f]);
  });
  for (double& sum : variance) sum /= n;
  const Reals output =
      normalized(x, features, mean, variance, epsilon_of(instruction),
                 wide_reals(*operands[1]), wide_reals(*operands[2]));
  return three(instruction.shape, output, mean, variance);
}

Array gradients(const Instruction& instruction, Operands operands) {
  const Features features(instruction, operands[0]->shape);
  const Reals x = wide_reals(*operands[0]);
  const Reals scale = wide_reals(*operands[1]);
  const Reals mean = wide_reals(*operands[2]);
  Reals variance = wide_reals(*operands[3]);
  const Reals grad = wide_reals(*operands[4]);
  const double epsilon = epsilon_of(instruction);
  for (double& v : variance) v += epsilon;
  const auto n = static_cast<double>(features.elements);
  const Reals s = features.sums(
      x.size(), [&](size_t i, size_t f) { return grad[i] * (x[i] - mean[f]); });
  const Reals g =
      features.sums(x.size(), [&](size_t i, size_t) { return grad[i]; });
  Reals grad_scale(s.size());
  for (size_t f = 0; f < s.size(); ++f) {
    grad_scale[f] = s[f] / std::sqrt(variance[f]);
  }
  Reals grad_operand(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t f = features.of(i);
    const double rest =
        n * grad[i] - g[f] - (x[i] - mean[f]) * s[f] / variance[f];
    grad_operand[i] = scale[f] / std::sqrt(variance[f]) / n * rest;
  }
  return three(instruction.shape, grad_operand, grad_scale, g);
}

}  // namespace

Functions batch_norm_functions() {
  return {{"batch-norm-training", training},
          {"batch-norm-inference", inference},
          {"batch-norm-grad", gradients}};
}

}  // namespace hlo::cpu
