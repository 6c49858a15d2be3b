// spec/ops/triangular_solve.md
#include <algorithm>
#include <vector>

#include "interpreter/definition/complex_elements.h"
#include "interpreter/definition/generate.h"
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

constexpr AttributeSpec kAttributes[] = {
    {"left_side", AttributeKind::kBool},
    {"lower", AttributeKind::kBool},
    {"unit_diagonal", AttributeKind::kBool},
    {"transpose_a", AttributeKind::kWord, false,
     "NO_TRANSPOSE TRANSPOSE ADJOINT"},
};

Shape infer(const Instruction& solve) {
  const Shape& a = solve.operand_shape(0);
  const Shape& b = solve.operand_shape(1);
  require(is_float(a.element_type) || is_complex(a.element_type),
          "triangular-solve.C1", {"the elements are ", a.element_type},
          "they must be floats or complex");
  require(a.element_type == b.element_type, "triangular-solve.C2",
          {"a is ", a, " and b ", b}, "they must have one element type");
  require(a.rank() >= 2 && a.dims.back() == a.dims[a.dims.size() - 2],
          "triangular-solve.C3", {"a is ", a},
          "its last two dimensions must be square");
  require(a.rank() == b.rank() &&
              std::equal(a.dims.begin(), a.dims.end() - 2, b.dims.begin()),
          "triangular-solve.C4", {"a is ", a, " and b ", b},
          "they must have the same batch dimensions");
  const size_t side = solve.get_or<bool>("left_side", false) ? 2 : 1;
  require(b.dims[b.dims.size() - side] == a.dims.back(), "triangular-solve.C5",
          {"a is ", a, " and b ", b},
          "the dimension of b beside a must have a's size");
  return b;
}

/// Which elements of `a` and of b (or x) the systems T x = b consist of.
struct Systems {
  explicit Systems(const Instruction& solve)
      : is_left(solve.get_or("left_side", false)),
        lower(solve.get_or("lower", false)),
        unit_diagonal(solve.get_or("unit_diagonal", false)) {
    const auto word = solve.get_or<Word>("transpose_a", {"NO_TRANSPOSE"});
    // x op(a) = b is op(a)^T x^T = b^T.
    is_transposed = (word.value != "NO_TRANSPOSE") == is_left;
    is_adjoint = word.value == "ADJOINT";
    const Ints& dims = solve.operand_shape(1).dims;
    n = solve.operand_shape(0).dims.back();
    outer = {dims.begin(), dims.end() - 2};
    sides = dims[dims.size() - (is_left ? 1 : 2)];
  }

  /// The unknown that is found in step i: an upper triangle begins with the
  /// last.
  int64_t unknown(int64_t i) const {
    return lower == is_transposed ? n - 1 - i : i;
  }

  /// T(i, j) in `a`.
  Index in_matrix(int64_t i, int64_t j) const {
    return is_transposed ? Index{unknown(j), unknown(i)}
                         : Index{unknown(i), unknown(j)};
  }

  /// b(i) of one side in `b`.
  Index in_side(int64_t i, int64_t side) const {
    return is_left ? Index{unknown(i), side} : Index{side, unknown(i)};
  }

  bool is_left;
  bool lower;
  bool unit_diagonal;
  bool is_transposed;
  bool is_adjoint;
  int64_t n;
  Ints outer;  // dimensions of matrices
  int64_t sides;
};

using Numbers = std::vector<Complex>;

/// The rows of T, up to the diagonal.
std::vector<Numbers> read(const Systems& systems, const Literal& a,
                          const Index& outer) {
  std::vector<Numbers> t;
  for (int64_t i = 0; i < systems.n; ++i) {
    t.emplace_back();
    for (int64_t j = 0; j <= i; ++j) {
      const Complex x =
          definition::number_of(a.at(join(outer, systems.in_matrix(i, j))));
      t.back().push_back(systems.is_adjoint ? conj(x) : x);
    }
    if (systems.unit_diagonal) t.back().back() = {1, 0};
  }
  return t;
}

/// (b - row[0] x[0] - row[1] x[1] - ...) / row[i] for the first i unknowns.
Complex next_unknown(const Complex& b, const Numbers& row, const Numbers& x,
                     bool is_complex) {
  const Complex& pivot = row.back();
  Complex rest = b;
  if (!is_complex) {
    for (size_t j = 0; j < x.size(); ++j) {
      rest.re = rest.re - row[j].re * x[j].re;
    }
    return {rest.re / pivot.re, 0};
  }
  for (size_t j = 0; j < x.size(); ++j) rest = rest - row[j] * x[j];
  const bool is_zero = pivot.re == 0 && pivot.im == 0;
  if (is_zero || !isfinite(pivot) || !isfinite(rest)) {
    return {Real::nan(), Real::nan()};
  }
  return rest / pivot;
}

Numbers elements(const std::vector<Numbers>& rows) {
  Numbers elements;
  for (const Numbers& row : rows) {
    elements.insert(elements.end(), row.begin(), row.end());
  }
  return elements;
}

Literal value(const Instruction& solve, Operands operands,
              Evaluator& evaluator) {
  const Systems systems(solve);
  const int64_t n = systems.n;
  const Literal& b = operands[1];
  Literal result(solve.shape);
  for_each_index(systems.outer, [&](const Index& outer) {
    const std::vector<Numbers> t = read(systems, operands[0], outer);
    evaluator.budget().spend(work_of_elimination(
        {systems.sides, n, n, n, bits_of_integers(elements(t), b.type()),
         kWorkOfSlowDefinition}));
    for (int64_t side = 0; side < systems.sides; ++side) {
      Numbers x;
      for (const Numbers& row : t) {
        const Index inner = systems.in_side(std::ssize(x), side);
        const Index index = join(outer, inner);
        x.push_back(next_unknown(definition::number_of(b.at(index)), row, x,
                                 is_complex(b.type())));
        result.set(linearize(index, b.shape().dims),
                   element_of(x.back(), b.type()));
      }
    }
  });
  return result;
}

/// At the least: numbers of many bits take more.
int64_t work(const Instruction& solve) {
  return saturating_product(
      {result_elements(solve), solve.operand_shape(0).dims.back()});
}

}  // namespace

extern constinit const Op op_triangular_solve{
    .name = "triangular-solve",
    .min_operands = 2,
    .max_operands = 2,
    .attributes = kAttributes,
    .infer = infer,
    .value = value,
    .work = work,
    .accuracy = {Accuracy::Kind::kSolved},
    .fit = fit_shapes};

}  // namespace hlo
