#pragma once

#include <string>

#include "interpreter/model/module.h"

// The rules of spec/verify.md, each of which verify() applies. They throw
// verify Errors; those about one instruction leave its place to the caller.

namespace hlo {

/// The instruction in one short line, for messages: "%x = f32[2] add(%a, %b)".
std::string summary(const Instruction& instruction);

/// The number of operands fits the operation, and they stand before it in the
/// same computation.
void check_operands(const Instruction& instruction);
/// The attributes are known to the operation, required ones are there, and
/// each has the type of its kind.
void check_attributes(const Instruction& instruction);
/// The shape that the operation infers is the given one; it is filled in where
/// none was given.
void check_shape(Instruction& instruction);
/// The parameters are numbered from 0 without gaps or repetition.
void check_parameters(const Computation& computation);
/// A result that the signature declares is the root's shape.
void check_signature(const Computation& computation);
/// entry_computation_layout agrees with the entry computation.
void check_entry_layout(const Module& module);

}  // namespace hlo
