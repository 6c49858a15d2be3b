// spec/ops/triangular_solve.md
#include "interpreter/plans/linear/integer_bits.h"
#include "interpreter/plans/linear/triangular.h"
#include "interpreter/rules/plan.h"
#include "interpreter/rules/work.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

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

std::optional<Literal> value(const Instruction& solve, Operands operands,
                             Evaluator& evaluator) {
  const TriangularSystems systems = triangular_systems(solve);
  Literal x(solve.shape);
  const int64_t n = systems.n;
  const auto& format = numeric::format(component_type(x.type()));
  evaluator.budget().spend(
      work_of_elimination({systems.matrices, systems.sides, n, n, n}));
  x.mutable_bytes();  // its own before threads write to it
  for (int64_t m = 0; m < systems.matrices; ++m) {
    const Triangle t = read_triangle(systems, operands[0], m);
    evaluator.budget().spend(work_of_elimination(
        {systems.sides, n, n, n, bits_of_integers(t.values, format)}));
    evaluator.parallel_for(systems.sides, 1, [&](int64_t begin, int64_t end) {
      for (int64_t side = begin; side < end; ++side) {
        solve_side(systems, t, operands[1], m, side, x);
      }
    });
  }
  return x;
}

}  // namespace

extern constinit const Plan plan_triangular_solve{.value = value};

}  // namespace hlo
