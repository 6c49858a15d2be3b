#pragma once

#include <string_view>

#include "interpreter/model/module.h"

namespace hlo {

/// Checks every rule of spec/ that a program can violate and fills in shapes
/// that the text left out. Throws the first violation as a verify Error with
/// the place of its instruction. Evaluating a verified module can then fail
/// for lack of an implementation or of resources only.
void verify(Module& module);
/// The module of an HLO text, verified.
Module verified_module(std::string_view source);

}  // namespace hlo
