#pragma once

#include <optional>
#include <vector>

#include "interpreter/run/network.h"

// What the value rules of operations between devices share.

namespace hlo {

/// Gives each member of a group its result.
using CollectiveRule = std::vector<Literal> (*)(const Meeting&, Evaluator&);

/// The value of an operation that a whole group runs, once all members have
/// come; the arrays have all elements of their bounds. Evaluate errors
/// "collective.member" where the device is in no group, "evaluate.sizes".
Future meet(const Instruction& collective, Operands operands,
            CollectiveRule rule, Evaluator& evaluator);
/// The value of an operation that hands arrays of any sizes on; a device in no
/// group gets `outside`, or the evaluate error "collective.member".
Future hand_on(const Instruction& collective, Operands operands,
               CollectiveRule rule, Evaluator& evaluator,
               std::optional<Literal> outside);
/// Evaluate error "evaluate.sizes" where an array has fewer elements at run
/// time than its bounds say.
void require_whole(const Instruction& collective, Operands operands);
/// The first half of a collective: it does not wait, and its result is zeros of
/// its shape; `finish` gives the value, which is `future`.
Future begin(const Instruction& start, Future future, Evaluator& evaluator);
/// The value of the operation that operand 0 of `done` has begun.
Future finish(const Instruction& done, Operands operands, Evaluator& evaluator);

/// The state of a send or recv: its data, a number under which the network
/// keeps the transfer, a token. `ended` gives the value of its done.
Future begun(const Literal& data, const Literal& token, Future transfer,
             Network& network);
Future ended(const Literal& state, Network& network);

/// One literal is itself, several become a tuple.
Literal one_or_tuple(std::vector<Literal> literals);
/// One result for all members.
std::vector<Literal> for_all(const Meeting& meeting, const Literal& result);

/// The arrays one after the other along dimension d. They have the same shapes.
Literal concatenated(const std::vector<Literal>& parts, int64_t d);
/// Part i of the array, which is cut into `count` equal parts along d.
Literal part_of(const Literal& whole, int64_t d, int64_t i, int64_t count);

/// The value rules of the collectives; each serves an operation and its start.
std::vector<Literal> gather_all(const Meeting& meeting, Evaluator& evaluator);
std::vector<Literal> reduce_all(const Meeting& meeting, Evaluator& evaluator);

}  // namespace hlo
