#pragma once

#include <cstdint>
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
/// Such a module with sizes of all dimensions that are marked, or that these
/// operands have fewer elements in: a size goes on in a shape that does not
/// mark it (spec/dynamic_sizes.md).
Module extract_sized(const Instruction& instruction,
                     std::span<const Literal> operands);
/// Such a module that ends with a further instruction, whose operand is the
/// value of the first: a start and its done.
Module extract_sized(const Instruction& instruction, const Instruction& end);
/// Which sizes are parameters of such a module.
enum class Sizes : uint8_t { kMarked, kAll };
/// The arguments of such modules, for these operands: kAll where the module was
/// made for them.
std::vector<Literal> sized_arguments(const Instruction& instruction,
                                     std::span<const Literal> operands,
                                     Sizes which);
/// Whether an operand has fewer elements in a dimension that is not marked.
bool has_unmarked_sizes(const Instruction& instruction,
                        std::span<const Literal> operands);

/// Appends copies of the computation and of what it calls to `target`, callees
/// first, under names that are free there; the copy of `source`.
Computation* copy_into(Module& target, const Computation& source);

}  // namespace hlo
