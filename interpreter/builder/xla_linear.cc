#include "interpreter/builder/xla_linear.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "interpreter/error.h"

namespace hlo::builder {
namespace {

Attributes norm_attributes(float epsilon, int64_t feature_index) {
  require(std::isfinite(epsilon), "builder.C10",
          {"epsilon is infinite or not a number"},
          "it must be a finite number");
  Decimal decimal;
  decimal.text = fmt::format("{}", epsilon);
  std::from_chars(decimal.text.data(),
                  decimal.text.data() + decimal.text.size(), decimal.value);
  return {{"epsilon", decimal}, {"feature_index", feature_index}};
}

}  // namespace

XlaOp Cholesky(XlaOp a, bool lower) {
  return a.builder().add("cholesky", {a}, {{"lower", lower}});
}

XlaOp TriangularSolve(XlaOp a, XlaOp b, bool left_side, bool lower,
                      bool unit_diagonal, TriangularTranspose transpose_a) {
  constexpr std::array kWords = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
  return a.builder().add(
      "triangular-solve", {a, b},
      {{"left_side", left_side},
       {"lower", lower},
       {"unit_diagonal", unit_diagonal},
       {"transpose_a", Word{kWords.at(static_cast<size_t>(transpose_a))}}});
}

XlaOp Fft(XlaOp operand, FftType fft_type, const Ints& fft_length) {
  constexpr std::array kWords = {"FFT", "IFFT", "RFFT", "IRFFT"};
  return operand.builder().add(
      "fft", {operand},
      {{"fft_type", Word{kWords.at(static_cast<size_t>(fft_type))}},
       {"fft_length", fft_length}});
}

XlaOp BatchNormTraining(XlaOp operand, XlaOp scale, XlaOp offset, float epsilon,
                        int64_t feature_index) {
  return operand.builder().add("batch-norm-training", {operand, scale, offset},
                               norm_attributes(epsilon, feature_index));
}

XlaOp BatchNormInference(XlaOp operand, XlaOp scale, XlaOp offset, XlaOp mean,
                         XlaOp variance, float epsilon, int64_t feature_index) {
  return operand.builder().add("batch-norm-inference",
                               {operand, scale, offset, mean, variance},
                               norm_attributes(epsilon, feature_index));
}

XlaOp BatchNormGrad(XlaOp operand, XlaOp scale, XlaOp batch_mean,
                    XlaOp batch_var, XlaOp grad_output, float epsilon,
                    int64_t feature_index) {
  return operand.builder().add(
      "batch-norm-grad", {operand, scale, batch_mean, batch_var, grad_output},
      norm_attributes(epsilon, feature_index));
}

}  // namespace hlo::builder
