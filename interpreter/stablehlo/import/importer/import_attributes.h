#pragma once

#include <string>
#include <vector>

#include "interpreter/model/module.h"
#include "interpreter/stablehlo/syntax.h"

namespace hlo::stablehlo {

/// Attributes of dialects (their names have a dot) become sharding where it is
/// one, else frontend_attributes.
void keep_attributes(const Dictionary& attributes, Instruction& instruction);
/// Keeps an operation's attributes on its instruction, and the accuracy that is
/// asked of the result.
void keep_attributes(const Operation& operation, Instruction& instruction);
/// What is said of each result, as frontend_attributes of the root.
void keep_results(const std::vector<Dictionary>& attributes, Instruction& root);
/// Counts of devices, aliases and what else a program says, in the header.
void keep_attributes(const Program& program, const Function& entry,
                     Module& module);
/// The attribute in text, for frontend_attributes.
std::string printed(const Attribute& attribute);

}  // namespace hlo::stablehlo
