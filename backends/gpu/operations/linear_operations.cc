#include <limits>

#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/operations/number_room.h"
#include "backends/gpu/operations/walk.h"
#include "backends/gpu/program/kernel_codes.h"

// Systems of equations and factors of matrices: kernels/solve.inc, factor.inc.

namespace hlo::gpu {
namespace {

/// Matrices of more rows take too long.
constexpr int64_t kMostRows = 4096;

/// Bits of sums of products of n factors, each a number of the type.
int64_t bits_of_products(int64_t n, ElementType type) {
  return n * (range_in_bits(type) + bits_of_count(n) + 2);
}

int64_t matrices_in(const Shape& shape) {
  int64_t count = 1;
  for (size_t d = 0; d + 2 < shape.dims.size(); ++d) count *= shape.dims[d];
  return count;
}

void check_rows(const Instruction& instruction, int64_t n) {
  if (n > kMostRows) refuse(instruction, "matrices of more than 4096 rows");
}

Value triangular_solve(Memory& memory, const Instruction& solve,
                       const Values& operands) {
  Value result = new_array(memory, solve.shape);
  const Shape& b = operands[1]->shape;
  const ElementType type = b.element_type;
  const int64_t n = operands[0]->shape.dims.back();
  if (b.element_count() == 0) return result;
  check_rows(solve, n);
  const bool left = solve.get_or("left_side", false);
  const auto word = solve.get_or<Word>("transpose_a", {"NO_TRANSPOSE"}).value;
  // x op(a) = b is op(a)^T x^T = b^T.
  const bool transposed = (word != "NO_TRANSPOSE") == left;
  const int64_t sides = b.dims[b.dims.size() - (left ? 1 : 2)];
  const int64_t bits = bits_of_products(n + 1, type);
  const int64_t numerator = slot_bytes(bits);
  const int64_t larger = slot_bytes((is_complex(type) ? 2 : 1) * bits + 256);
  constexpr int64_t kLarger = 11;
  const int64_t bytes = n * (8 + 2 * numerator) + kLarger * larger;
  const Ints facts = {solve.get_or("lower", false) == transposed, transposed,
                      word == "ADJOINT", left,
                      solve.get_or("unit_diagonal", false)};
  run_with_room(memory, matrices_in(b) * sides, bytes,
                [&](int64_t end, int64_t first, int64_t room) {
                  Ints words = {end, first, sides, n, type_code(type)};
                  append(words, facts);
                  append(words,
                         {operands[0]->offset(), operands[1]->offset(),
                          result.offset(), room, bytes, numerator, larger});
                  memory.device().run(Kernel::kSolve, words, end - first);
                });
  return result;
}

Value cholesky(Memory& memory, const Instruction& instruction,
               const Values& operands) {
  Value result = new_array(memory, instruction.shape);
  const Shape& a = operands[0]->shape;
  const ElementType type = a.element_type;
  const int64_t n = a.dims.back();
  if (a.element_count() == 0) return result;
  check_rows(instruction, n);
  const int64_t bits = bits_of_products(n, type);
  const int64_t minor = slot_bytes(bits);
  const int64_t larger = slot_bytes(2 * bits + 256);
  constexpr int64_t kLarger = 6;
  const int64_t bytes = n * (n + 1) * minor + kLarger * larger;
  run_with_room(
      memory, matrices_in(a), bytes,
      [&](int64_t end, int64_t first, int64_t room) {
        memory.device().run(
            Kernel::kFactor,
            Ints{end, first, n, type_code(type),
                 instruction.get_or("lower", false), operands[0]->offset(),
                 result.offset(), room, bytes, minor, larger},
            end - first);
      });
  return result;
}

}  // namespace

Functions linear_functions() {
  return {{"triangular-solve", triangular_solve}, {"cholesky", cholesky}};
}

}  // namespace hlo::gpu
