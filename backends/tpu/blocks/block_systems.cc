#include "backends/tpu/blocks/block_systems.h"

#include <string>

#include "backends/tpu/blocks/block_rules.h"
#include "interpreter/builder/xla_builder.h"

namespace hlo::tpu {
namespace {

using builder::TriangularTranspose;
using builder::XlaOp;

/// The part of b for these unknowns.
XlaOp of_unknowns(XlaOp b, BlockRange block, bool is_left) {
  const Ints& dims = b.shape().dims;
  return is_left ? block_of(b, block, {0, dims.back()})
                 : block_of(b, {0, dims[dims.size() - 2]}, block);
}

/// The rows and columns of op(a).
XlaOp of_matrix(XlaOp a, BlockRange rows, BlockRange columns,
                TriangularTranspose transpose) {
  if (transpose == TriangularTranspose::kNoTranspose) {
    return block_of(a, rows, columns);
  }
  const XlaOp block = matrices_transposed(block_of(a, columns, rows));
  return transpose == TriangularTranspose::kAdjoint ? conjugated(block) : block;
}

BlockSystem system_of(const Instruction& solve) {
  BlockSystem system{.is_left = solve.get_or("left_side", false),
                     .is_lower = solve.get_or("lower", false),
                     .has_units = solve.get_or("unit_diagonal", false)};
  const std::string word =
      solve.get_or<Word>("transpose_a", {"NO_TRANSPOSE"}).value;
  if (word == "TRANSPOSE") system.transpose = TriangularTranspose::kTranspose;
  if (word == "ADJOINT") system.transpose = TriangularTranspose::kAdjoint;
  return system;
}

}  // namespace

std::pair<BlockRange, BlockRange> halves(int64_t n, const Halving& halving) {
  const int64_t most_rows = halving.most_rows;
  const int64_t blocks = (n + most_rows - 1) / most_rows;
  const int64_t middle = (blocks + 1) / 2 * most_rows;
  return {{0, middle}, {middle, n}};
}

XlaOp rest_of(XlaOp other, XlaOp product, const Halving& halving) {
  if (halving.fault == Fault::kProductsNotSubtracted) return other;
  return builder::Sub(other, product);
}

XlaOp solved(XlaOp a, XlaOp b, const BlockSystem& system,
             const Halving& halving) {
  const bool is_left = system.is_left;
  const int64_t n = a.shape().dims.back();
  if (n <= halving.most_rows) {
    return builder::TriangularSolve(a, b, is_left, system.is_lower,
                                    system.has_units, system.transpose);
  }
  // From the left the first unknowns of a lower op(a) hang on no others, from
  // the right those of an upper one.
  const bool is_transposed =
      system.transpose != TriangularTranspose::kNoTranspose;
  const bool begins = (system.is_lower != is_transposed) == is_left;
  auto [first, second] = halves(n, halving);
  if (!begins) std::swap(first, second);
  const XlaOp x = solved(block_of(a, first, first),
                         of_unknowns(b, first, is_left), system, halving);
  const XlaOp known =
      is_left ? matrices_multiplied(
                    of_matrix(a, second, first, system.transpose), x)
              : matrices_multiplied(
                    x, of_matrix(a, first, second, system.transpose));
  const XlaOp y =
      solved(block_of(a, second, second),
             rest_of(of_unknowns(b, second, is_left), known, halving), system,
             halving);
  return builder::ConcatInDim(
      &a.builder(), begins ? builder::XlaOps{x, y} : builder::XlaOps{y, x},
      b.shape().rank() - (is_left ? 2 : 1));
}

XlaOp triangular_solve_by_halves(const BlockTask& task) {
  const ElementType type = task.instruction.shape.element_type;
  return narrowed(solved(widened(task.operands[0]), widened(task.operands[1]),
                         system_of(task.instruction),
                         {rows_of_blocks(type, task.room), task.fault}),
                  type);
}

}  // namespace hlo::tpu
