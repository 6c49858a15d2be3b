// spec/ops/triangular_solve.md
#include <algorithm>

#include "interpreter/plans/linear/linear_work.h"
#include "interpreter/plans/linear/triangular.h"
#include "interpreter/rules/op.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

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

void solve_side(const TriangularSystems& systems, const Triangle& t,
                const Literal& b, int64_t matrix, int64_t side, Literal& x) {
  const ElementType type = x.type();
  const bool complex = is_complex(type);
  const auto solution =
      solve_exactly(t, read_side(systems, b, matrix, side), complex,
                    numeric::format(component_type(type)));
  for (int64_t i = 0; i < systems.n; ++i) {
    const numeric::ComplexBits& value = solution[static_cast<size_t>(i)];
    x.set(systems.in_side(matrix, side, i),
          {.type = type, .bits = {value.re, complex ? value.im : 0}});
  }
}

Literal eval(const Instruction& solve, Operands operands,
             Evaluator& evaluator) {
  const TriangularSystems systems = triangular_systems(solve);
  Literal x(solve.shape);
  const int64_t n = systems.n;
  const auto& format = numeric::format(component_type(x.type()));
  require_work({systems.matrices, systems.sides, n, n, n});
  x.mutable_bytes();  // its own before threads write to it
  for (int64_t m = 0; m < systems.matrices; ++m) {
    const Triangle t = read_triangle(systems, operands[0], m);
    require_work({systems.matrices, systems.sides, n, n, n,
                  bits_of_integers(t.values, format)});
    evaluator.parallel_for(systems.sides, 1, [&](int64_t begin, int64_t end) {
      for (int64_t side = begin; side < end; ++side) {
        solve_side(systems, t, operands[1], m, side, x);
      }
    });
  }
  return x;
}

}  // namespace

extern constinit const Op op_triangular_solve{
    .name = "triangular-solve",
    .min_operands = 2,
    .max_operands = 2,
    .attributes = kAttributes,
    .infer = infer,
    .eval = eval,
    .accuracy = {Accuracy::Kind::kSolved}};

}  // namespace hlo
