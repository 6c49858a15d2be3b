#pragma once

#include <string_view>
#include <vector>

#include "interpreter/network.h"

// What the value rules of operations between devices share.

namespace hlo {

/// The operation is run by a whole group: its value follows once all members
/// have come. A device in no group gets `outside`, or the evaluate error
/// "collective.member".
Future meet(const Instruction& collective, Operands operands,
            CollectiveRule rule, Evaluator& evaluator,
            std::optional<Literal> outside = {});
/// The first half of such an operation: it does not wait, and its result is
/// zeros of its shape; `finish` gives the value.
Future begin(const Instruction& start, Operands operands, CollectiveRule rule,
             Evaluator& evaluator, std::optional<Literal> outside = {});
/// The value of the operation that operand 0 of `done` has begun.
Future finish(const Instruction& done, Operands operands, Evaluator& evaluator);

/// The state of a send or recv: its data, a number under which the network
/// keeps the transfer, a token. `ended` gives the value of its done.
Future begun(const Literal& data, const Literal& token, Future transfer,
             Network& network);
Future ended(const Literal& state, Network& network);

/// A value that is there at once.
Future at_once(Literal value);

/// One literal is itself, several become a tuple.
Literal one_or_tuple(std::vector<Literal> literals);
/// The same result for each member.
std::vector<Literal> for_all(const Meeting& meeting, const Literal& result);

/// The arrays one after the other along dimension d. They have the same shapes.
Literal concatenated(const std::vector<Literal>& parts, int64_t d);
/// Part i of the array, which is cut into `count` equal parts along d.
Literal part_of(const Literal& whole, int64_t d, int64_t i, int64_t count);

/// The value rules of the collectives; each serves an operation and its start.
std::vector<Literal> gather_all(const Meeting& meeting, Evaluator& evaluator);
std::vector<Literal> reduce_all(const Meeting& meeting, Evaluator& evaluator);
std::vector<Literal> permute_all(const Meeting& meeting, Evaluator& evaluator);
/// What a collective-permute gives to a device that no pair names: zeros, or
/// the buffers as they are.
Literal not_permuted(const Instruction& permute, Operands operands);

/// For each operand, the values of all members combined by to_apply in the
/// order of the group: x_0, then x_1, ... Floats that are added or multiplied
/// give the exact sum or product, rounded once.
std::vector<Literal> combined(const Meeting& meeting, Evaluator& evaluator);

}  // namespace hlo
