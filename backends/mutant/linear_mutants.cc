#include "backends/mutant/linear_mutants.h"

#include <array>

namespace hlo {
namespace {

Literal other_triangle(const Instruction& solve, Operands in, Evaluator& run) {
  return original_with(solve, "lower", !solve.get_or("lower", false), in, run);
}

Literal forget_conjugate(const Instruction& solve, Operands in,
                         Evaluator& run) {
  if (solve.get_or<Word>("transpose_a", {""}).value != "ADJOINT") {
    return original(solve, in, run);
  }
  return original_with(solve, "transpose_a", Word{"TRANSPOSE"}, in, run);
}

Literal stop_at_256(const Instruction& solve, Operands in, Evaluator& run) {
  Literal x = original(solve, in, run);
  const auto& dims = x.shape().dims;
  for (int64_t i = 0; i < x.element_count(); ++i) {
    const Index index = delinearize(i, dims);
    const bool late = index[dims.size() - 2] >= 256 || index.back() >= 256;
    if (late) x.set(i, {.type = x.type(), .bits = {}});
  }
  return x;
}

Literal keep_counter(const Instruction& generator, Operands in,
                     Evaluator& run) {
  const Literal result = original(generator, in, run);
  return Literal::tuple({in[0], result.elements()[1]});
}

Literal reach_end(const Instruction& rng, Operands in, Evaluator& /*run*/) {
  return Literal::splat(rng.shape, in[1].scalar());
}

/// Random bytes modulo the size of the range: the first numbers of it come
/// once more often than the others.
Literal biased_bytes(const Instruction& rng, Operands in, Evaluator& run) {
  if (rng.shape.element_type != ElementType::kU8) return original(rng, in, run);
  const auto a = static_cast<uint64_t>(in[0].integer(0));
  const auto b = static_cast<uint64_t>(in[1].integer(0));
  Literal result(rng.shape);
  for (int64_t i = 0; i < result.element_count(); ++i) {
    const uint64_t byte = static_cast<uint64_t>(i) % 256;
    result.set(i, {.type = ElementType::kU8,
                   .bits = {a < b ? a + byte % (b - a) : a, 0}});
  }
  return result;
}

constexpr std::array kMutants = {
    Mutant{"other-triangle", "the triangle that is not meant is used",
           "triangular-solve", other_triangle},
    Mutant{"forget-conjugate", "the adjoint is the transpose",
           "triangular-solve", forget_conjugate},
    Mutant{"stop-at-256", "unknowns from the 257th on are 0",
           "triangular-solve", stop_at_256},
    Mutant{"keep-counter", "the state of random bits stays",
           "rng-bit-generator", keep_counter},
    Mutant{"reach-end", "the end of an interval is drawn", "rng", reach_end},
    Mutant{"biased-bytes", "random bytes are reduced by a remainder", "rng",
           biased_bytes},
};

}  // namespace

std::span<const Mutant> linear_mutants() { return kMutants; }

}  // namespace hlo
