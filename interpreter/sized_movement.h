#pragma once

#include <optional>

#include "interpreter/movement.h"
#include "interpreter/op.h"

namespace hlo {

/// Whether the instruction moves elements of an operand that has fewer of them
/// at run time than its bounds say, by a rule that such sizes change.
bool moves_at_sizes(const Instruction& instruction, Operands operands);

/// The result of such a movement: what the operation makes of arrays of just
/// those sizes, laid into the result's bounds.
Literal move_at_sizes(const Instruction& instruction, Operands operands,
                      Evaluator& evaluator);

/// The origin of the element at a row-major position of such a result, as
/// positions in the operands as they are; nothing past the result's sizes.
std::optional<Source> source_at_sizes(const Instruction& instruction,
                                      Operands operands, int64_t position);

/// The result of a fold, with the sizes that it has at run time by the
/// operation's shape rule: the inputs have those of the first.
Literal fold_at_sizes(const Instruction& instruction, Operands operands,
                      Literal result);

}  // namespace hlo
