#pragma once

#include <string>

#include "conformance/case/case.h"
#include "interpreter/error.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// The verified module of the case's program, in whichever language it is
/// written. Throws what text::parse, stablehlo::import_text and verify throw.
Module case_module(const Case& c);

/// The message of an error of the case's program, with its place and the line
/// there:
///   there is no operation 'foo' (line 3, column 14 of the program)
///       x = f32[] foo(y)
///                 ^
std::string program_message(const Case& c, const Error& error);

}  // namespace hlo::conformance
