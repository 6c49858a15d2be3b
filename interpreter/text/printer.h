#pragma once

#include <string>

#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo::text {

/// The canonical text of the module: parse(print(m)) is equal to m, and
/// print(parse(print(m))) is print(m) byte for byte.
std::string print(const Module& module);
/// One instruction as in the text of its computation, without indentation:
/// "ROOT %x = f32[2]{0} add(%a, %b)".
std::string print(const Instruction& instruction);
/// The elements: "{ { 1, 2 }, { 3, 4 } }". Decimals are the shortest that read
/// back as the same bits; NaN payloads and -0.0 survive.
std::string print(const Literal& literal);
/// One element.
std::string print(const Scalar& scalar);

}  // namespace hlo::text
