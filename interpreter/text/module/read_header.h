#pragma once

#include <string>

#include "interpreter/model/module.h"
#include "interpreter/text/grammar/scanner.h"

namespace hlo::text {

/// The header's attributes behind the name of the module.
void read_header_attributes(Lexer& in, Module& module);
/// The sections FileNames ... StackFrames; empty where there are none.
std::string read_stack_frames(Lexer& in);

}  // namespace hlo::text
