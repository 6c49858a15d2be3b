#pragma once

#include <string>

#include "interpreter/model/module.h"
#include "interpreter/text/print_literal.h"

namespace hlo::text {

/// The canonical text of the module: parse(print(m)) is equal to m, and
/// print(parse(print(m))) is print(m) byte for byte.
std::string print(const Module& module);
/// The text of one instruction as in that of its computation, without
/// indentation: "ROOT %x = f32[2]{0} add(%a, %b)".
std::string print(const Instruction& instruction);
}  // namespace hlo::text
