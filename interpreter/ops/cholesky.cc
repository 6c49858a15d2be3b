// spec/ops/cholesky.md
#include <optional>
#include <vector>

#include "interpreter/definition/complex_elements.h"
#include "interpreter/definition/generate.h"
#include "interpreter/definition/numbers/over_root.h"
#include "interpreter/error.h"
#include "interpreter/model/index_loops.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/sizes/fitting.h"
#include "interpreter/rules/work.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

using definition::Complex;
using definition::join;
using definition::Real;

constexpr AttributeSpec kAttributes[] = {{"lower", AttributeKind::kBool}};

Shape infer(const Instruction& cholesky) {
  const Shape& a = cholesky.operand_shape(0);
  require(is_float(a.element_type) || is_complex(a.element_type), "cholesky.C1",
          {"the elements are ", a.element_type},
          "they must be floats or complex");
  require(a.rank() >= 2 && a.dims.back() == a.dims[a.dims.size() - 2],
          "cholesky.C2", {"the operand is ", a},
          "its last two dimensions must be square matrices");
  return a;
}

/// Rows and columns of a matrix.
using Matrix = std::vector<std::vector<Complex>>;

/// A Hermitian matrix whose lower triangle is the one that is read of that in
/// the last two dimensions of `a`.
Matrix read(const Literal& a, const Index& outer, bool lower) {
  const int64_t n = a.shape().dims.back();
  Matrix matrix;
  for (int64_t i = 0; i < n; ++i) {
    matrix.emplace_back();
    for (int64_t j = 0; j <= i; ++j) {
      const Index inner = lower ? Index{i, j} : Index{j, i};
      matrix.back().push_back(definition::number_of(a.at(join(outer, inner))));
    }
    matrix.back().back().im = 0;
  }
  return matrix;
}

/// The m with l(i, j) = m(i, j) / sqrt(m(j, j)):
///   m(i, j) = a(i, j) - m(i, 0) conj(m(j, 0)) / m(0, 0) - ...
///             - m(i, j-1) conj(m(j, j-1)) / m(j-1, j-1)
/// Nothing where a pivot m(j, j) is not positive, or not a number.
std::optional<Matrix> eliminate(Matrix m) {
  for (size_t i = 0; i < m.size(); ++i) {
    for (size_t j = 0; j <= i; ++j) {
      for (size_t k = 0; k < j; ++k) {
        m[i][j] = m[i][j] - m[i][k] * conj(m[j][k]) / m[k][k];
      }
      if (!isfinite(m[i][j])) return std::nullopt;
    }
    if (!(m[i][i].re > 0)) return std::nullopt;
  }
  return m;
}

/// l(i, j) of the page; NaN where there is no factor.
Complex factor(const std::optional<Matrix>& m, size_t i, size_t j) {
  if (!m) return {Real::nan(), 0};
  if (j > i) return {0, 0};
  const auto& [re, im] = (*m)[i][j];
  const Real& pivot = (*m)[j][j].re;
  return {over_root(re, pivot, 0), over_root(im, pivot, 0)};
}

std::vector<Complex> elements(const Matrix& m) {
  std::vector<Complex> elements;
  for (const std::vector<Complex>& row : m) {
    elements.insert(elements.end(), row.begin(), row.end());
  }
  return elements;
}

Literal value(const Instruction& cholesky, Operands operands,
              Evaluator& evaluator) {
  const bool lower = cholesky.get_or("lower", false);
  const Ints& dims = cholesky.shape.dims;
  const ElementType type = cholesky.shape.element_type;
  const int64_t n = dims.back();
  Literal result(cholesky.shape);
  for_each_index({dims.begin(), dims.end() - 2}, [&](const Index& outer) {
    const Matrix a = read(operands[0], outer, lower);
    evaluator.budget().spend(
        work_of_elimination({n, n, n, n, bits_of_integers(elements(a), type),
                             kWorkOfSlowDefinition}));
    const std::optional<Matrix> m = eliminate(a);
    for_each_index({dims.end() - 2, dims.end()}, [&](const Index& inner) {
      const auto i = static_cast<size_t>(inner[lower ? 0 : 1]);
      const auto j = static_cast<size_t>(inner[lower ? 1 : 0]);
      result.set(linearize(join(outer, inner), dims),
                 element_of(factor(m, i, j), type));
    });
  });
  return result;
}

/// At the least: what bounds leave open takes more.
int64_t work(const Instruction& cholesky) {
  const int64_t n = cholesky.shape.dims.back();
  constexpr int64_t kProduct = 10;
  return saturating_product({result_elements(cholesky), n, kProduct});
}

}  // namespace

extern constinit const Op op_cholesky{.name = "cholesky",
                                      .min_operands = 1,
                                      .max_operands = 1,
                                      .attributes = kAttributes,
                                      .infer = infer,
                                      .value = value,
                                      .work = work,
                                      .accuracy = {Accuracy::Kind::kFactored},
                                      .fit = fit_shapes};

}  // namespace hlo
