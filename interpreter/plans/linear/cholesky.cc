// spec/ops/cholesky.md
#include <cmath>
#include <vector>

#include "interpreter/plans/linear/bounded_factor.h"
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
void put(const BoundedFactor& factor, const CholeskyMatrices& matrices,
         int64_t matrix, Literal& result) {
  const auto& format = numeric::format(component_type(result.type()));
  const bool known = factor.kind == BoundedFactor::Kind::kKnown;
  const uint64_t zero = numeric::encode(0, format);
  const uint64_t nan = numeric::encode(std::nan(""), format);
  size_t next = 0;
  for (int64_t i = 0; i < matrices.n; ++i) {
    for (int64_t j = 0; j < matrices.n; ++j) {
      numeric::ComplexBits value{known ? zero : nan, zero};
      if (known && j <= i) value = factor.elements[next++];
      result.set(matrices.at(matrix, i, j), element_of(result.type(), value));
    }
  }
}

/// All factors: exactly where bounds leave them open, which takes far longer
/// and is paid for first.
std::vector<BoundedFactor> factor_all(const CholeskyMatrices& matrices,
                                      const Literal& a, Evaluator& evaluator) {
  using enum BoundedFactor::Kind;
  const int64_t n = matrices.n;
  const auto& format = numeric::format(component_type(a.type()));
  std::vector<BoundedFactor> factors(static_cast<size_t>(matrices.matrices));
  const auto for_each = [&](const auto& body) {
    evaluator.parallel_for(matrices.matrices, 1,
                           [&](int64_t begin, int64_t end) {
                             for (int64_t m = begin; m < end; ++m) {
                               body(factors[static_cast<size_t>(m)], m);
                             }
                           });
  };
  for_each([&](BoundedFactor& factor, int64_t m) {
    factor = factor_with_bounds(read_lower(matrices, a, m), n, format);
  });
  for (int64_t m = 0; m < matrices.matrices; ++m) {
    if (factors[static_cast<size_t>(m)].kind != kOpen) continue;
    const int64_t bits = bits_of_integers(read_lower(matrices, a, m), format);
    evaluator.budget().spend(work_of_elimination({n, n, n, n, bits}));
  }
  for_each([&](BoundedFactor& factor, int64_t m) {
    if (factor.kind != kOpen) return;
    auto exact = factor_exactly(read_lower(matrices, a, m), n, format);
    factor.kind = exact ? kKnown : kNotPositive;
    if (exact) factor.elements = *std::move(exact);
  });
  return factors;
}

std::optional<Literal> value(const Instruction& cholesky, Operands operands,
                             Evaluator& evaluator) {
  const CholeskyMatrices matrices = cholesky_matrices(cholesky);
  const std::vector<BoundedFactor> factors =
      factor_all(matrices, operands[0], evaluator);
  Literal result(cholesky.shape);
  for (int64_t m = 0; m < matrices.matrices; ++m) {
    put(factors[static_cast<size_t>(m)], matrices, m, result);
  }
  return result;
}

}  // namespace

extern constinit const Plan plan_cholesky{.value = value};

}  // namespace hlo
