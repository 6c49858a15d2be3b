// spec/ops/triangular_solve.md
#include <algorithm>

#include "interpreter/op.h"

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
          "triangular-solve.C1", "the elements are floats or complex");
  require(a.element_type == b.element_type, "triangular-solve.C2",
          "a and b have one element type");
  require(a.rank() >= 2 && a.dims.back() == a.dims[a.dims.size() - 2],
          "triangular-solve.C3", "the last two dimensions of a are square");
  require(a.rank() == b.rank() &&
              std::equal(a.dims.begin(), a.dims.end() - 2, b.dims.begin()),
          "triangular-solve.C4", "a and b have the same batch dimensions");
  const size_t side = solve.get_or<bool>("left_side", false) ? 2 : 1;
  require(b.dims[b.dims.size() - side] == a.dims.back(), "triangular-solve.C5",
          "the dimension of b beside a has a's size");
  return b;
}

}  // namespace

extern constinit const Op op_triangular_solve{
    .name = "triangular-solve",
    .min_operands = 2,
    .max_operands = 2,
    .attributes = kAttributes,
    .infer = infer,
    .accuracy = {Accuracy::Kind::kFree}};

}  // namespace hlo
