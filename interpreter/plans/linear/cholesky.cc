// spec/ops/cholesky.md
#include <cmath>

#include "interpreter/plans/linear/factorize.h"
#include "interpreter/plans/linear/integer_bits.h"
#include "interpreter/rules/plan.h"
#include "interpreter/rules/work.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

Scalar element_of(ElementType type, const numeric::ComplexBits& value) {
  return {.type = type,
          .bits = {value.re, is_complex(type) ? value.im : uint64_t{0}}};
}

/// The other triangle is zero. What is not positive definite is NaN everywhere,
/// without an imaginary part (so it is in XLA).
void factor_matrix(const CholeskyMatrices& matrices, const Literal& a,
                   int64_t matrix, Literal& result) {
  const auto& format = numeric::format(component_type(result.type()));
  const auto factor =
      factor_exactly(read_lower(matrices, a, matrix), matrices.n, format);
  const uint64_t zero = numeric::encode(0, format);
  const uint64_t nan = numeric::encode(std::nan(""), format);
  size_t next = 0;
  for (int64_t i = 0; i < matrices.n; ++i) {
    for (int64_t j = 0; j < matrices.n; ++j) {
      numeric::ComplexBits value{factor ? zero : nan, zero};
      if (factor && j <= i) value = (*factor)[next++];
      result.set(matrices.at(matrix, i, j), element_of(result.type(), value));
    }
  }
}

std::optional<Literal> value(const Instruction& cholesky, Operands operands,
                             Evaluator& evaluator) {
  const CholeskyMatrices matrices = cholesky_matrices(cholesky);
  Literal result(cholesky.shape);
  const int64_t n = matrices.n;
  const auto& format = numeric::format(component_type(result.type()));
  evaluator.budget().spend(
      work_of_elimination({matrices.matrices, n, n, n, n}));
  for (int64_t m = 0; m < matrices.matrices; ++m) {
    evaluator.budget().spend(work_of_elimination(
        {n, n, n, n,
         bits_of_integers(read_lower(matrices, operands[0], m), format)}));
  }
  result.mutable_bytes();  // its own before threads write to it
  evaluator.parallel_for(matrices.matrices, 1, [&](int64_t begin, int64_t end) {
    for (int64_t m = begin; m < end; ++m) {
      factor_matrix(matrices, operands[0], m, result);
    }
  });
  return result;
}

}  // namespace

extern constinit const Plan plan_cholesky{.value = value};

}  // namespace hlo
