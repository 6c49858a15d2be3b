#pragma once

#include <span>
#include <vector>

#include "interpreter/model/module.h"

namespace hlo {

/// A module of its own with the same computations and instructions.
Module clone(const Module& module);

/// A module whose entry computation applies this one instruction to
/// parameters of its operands' shapes; the computations that it calls are
/// copied along. Control dependencies are left out.
Module extract(const Instruction& instruction);

/// The module of an instruction with parameters that have no dynamic
/// dimensions: their sizes are further parameters, behind those of the
/// operands, and set-dimension-size gives them to the operands. A buffer has no
/// room for them.
Module extract_sized(const Instruction& instruction);
/// Such a module that ends with a further instruction, whose operand is the
/// value of the first: a start and its done.
Module extract_sized(const Instruction& instruction, const Instruction& end);
/// The arguments of such modules, for these operands.
std::vector<Literal> sized_arguments(const Instruction& instruction,
                                     std::span<const Literal> operands);

/// Appends copies of the computation and of what it calls to `target`, callees
/// first, under names that are free there; the copy of `source`.
Computation* copy_into(Module& target, const Computation& source);

}  // namespace hlo
