#pragma once

#include <string_view>
#include <vector>

#include "interpreter/rules/op.h"

// What the operations that run computations share.

namespace hlo {

/// The computation that an operation runs which has one attribute for it:
/// "to_apply" or "calls".
const Computation& callee_of(const Instruction& caller);
/// The branches of a conditional by their index; of a predicate, what it
/// chooses where it is true comes first.
Computations branches_of(const Instruction& conditional);
/// The computations that the instruction's attributes name.
Computations called_by(const Instruction& instruction);
/// Those that its instructions name.
Computations called_by(const Computation& computation);
/// These computations and all that they call, each once, callees before their
/// callers. Calls may be nested as deep as memory allows.
Computations with_called(const Computations& computations);
/// Demands that `callee` takes arguments of these shapes (layouts and dynamic
/// marks aside). Error `rule`.
void require_takes(const Computation& callee, const std::vector<Shape>& shapes,
                   std::string_view rule);
/// The shape that the computation under `attribute` returns, which takes the
/// caller's operands. Error `rule`.
Shape called_shape(const Instruction& caller, std::string_view attribute,
                   std::string_view rule);
/// The thread of a computation: "main" where it names none.
std::string_view thread_of(const Computation& computation);
/// Demands that `callee` runs in the thread of its caller. Error `rule`.
void require_same_thread(const Instruction& caller, const Computation& callee,
                         std::string_view rule);
/// The control rule of operations that run one computation on their operands:
/// the computation under `attribute`.
Progress run_once(const Instruction& caller, std::string_view attribute,
                  Operands operands, const ControlState& state);

}  // namespace hlo
