#pragma once

#include <string>

#include "interpreter/model/module.h"
#include "interpreter/text/scan/scanner.h"

namespace hlo::text {

/// The header's attributes behind the name of the module.
void read_header_attributes(Scanner& in, Module& module);
/// The sections FileNames ... StackFrames; empty where there are none.
std::string read_stack_frames(Scanner& in);

}  // namespace hlo::text
