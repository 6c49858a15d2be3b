#pragma once

#include "interpreter/model/module.h"

namespace hlo {

/// A module of its own with the same computations and instructions.
Module clone(const Module& module);

/// A module whose entry computation applies this one instruction to
/// parameters of its operands' shapes; the computations that it calls are
/// copied along. Control dependencies are left out.
Module extract(const Instruction& instruction);

/// Appends copies of the computation and of what it calls to `target`, callees
/// first, under names that are free there; the copy of `source`.
Computation* copy_into(Module& target, const Computation& source);

}  // namespace hlo
