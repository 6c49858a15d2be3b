#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "interpreter/model/module.h"

namespace hlo::gpu {

/// Instructions on registers, one scalar each (kernels/codes.inc).
struct Tape {
  Ints words;
  bool reads_indices = false;

  int64_t length() const;
  /// Takes faster kernels of real functions, for formats up to f32, that give
  /// one of both codes next to the exact value.
  void take_fast_functions();
};

/// What writes a tape: gives out registers and appends instructions.
class TapeWriter {
 public:
  /// `registers`: how many the caller has filled.
  explicit TapeWriter(int64_t registers) : next_(registers) {}

  /// Goes on with a tape, whose registers are the first `registers` ones.
  TapeWriter(Tape tape, int64_t registers)
      : tape_(std::move(tape)), next_(registers) {}

  /// The register of the result of an element-wise instruction whose operands
  /// are in the registers. Throws Unsupported.
  int64_t add(const Instruction& instruction,
              std::span<const int64_t> operands);
  /// The registers of the leaves of the computation's result, whose
  /// parameters, arrays of one element each or tuples of such, are in the
  /// registers, leaf by leaf. Throws Unsupported.
  std::vector<int64_t> add(const Computation& computation,
                           std::span<const int64_t> arguments);
  /// The register of the element converted to another type.
  int64_t convert(int64_t source, ElementType from, ElementType to);
  /// The register of the element with its sign changed.
  int64_t negate(int64_t source, ElementType type);
  /// The register of the index along a dimension, as that type.
  int64_t index(int64_t dimension, ElementType type);

  /// The register of the code whose bits are those of the source from `shift`
  /// on, or of the code in `whole` with the source's bits from there on. Bits
  /// of a code of type pred are 8.
  int64_t part(int64_t source, ElementType from, ElementType to, int64_t shift);
  int64_t join(int64_t whole, ElementType to, int64_t source, ElementType from,
               int64_t shift);

  /// The register of whether a stands behind b in total order, or before it.
  int64_t compare_total(int64_t a, int64_t b, ElementType type, bool behind);

  /// The register of where the element stands in order, as a u64, by the codes
  /// for OP_KEY; and of whether it is NaN, which has no place in that order.
  int64_t key(int64_t source, ElementType type, int64_t how);
  int64_t is_nan(int64_t source, ElementType type);

  /// The register of whether a and b are neither equal as numbers nor codes of
  /// the same bits.
  int64_t differ(int64_t a, int64_t b, ElementType own);
  /// The register of what is true where the source is not; both are pred.
  int64_t negate_truth(int64_t source);

  const Tape& tape() const { return tape_; }

 private:
  int64_t new_register();
  int64_t append(int64_t op, ElementType type, ElementType from, int64_t a,
                 int64_t b, int64_t c, int64_t extra);
  int64_t add_mixed(const Instruction& instruction, int64_t op,
                    std::span<const int64_t> operands);
  /// The register of operand k as the operation takes it.
  int64_t source_of(const Instruction& instruction, int64_t op, size_t k,
                    int64_t source);
  int64_t constant(const Literal& literal);
  /// The register of the element of a bitcast, which has the source's bits.
  int64_t reread(const Instruction& instruction, int64_t source,
                 ElementType from, ElementType to);
  /// The registers of what is handed on, in the types that are stated.
  std::vector<int64_t> handed_on(const Instruction& instruction,
                                 const std::vector<int64_t>& operands);
  /// The registers of what the branch gives that is chosen.
  std::vector<int64_t> branches(const Instruction& conditional,
                                std::span<const int64_t> operands);
  /// The register of whether an integer is that number.
  int64_t equals(int64_t source, ElementType type, size_t number);
  std::vector<int64_t> visit(const Instruction& instruction,
                             const std::vector<int64_t>& operands);

  Tape tape_;
  int64_t next_;
  int64_t depth_ = 0;
};

/// Whether the operation is one on elements that a tape can hold.
bool is_elementwise(const Instruction& instruction);

}  // namespace hlo::gpu
