#pragma once

#include "conformance/case/case.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// The verified module of the case's program, in whichever language it is
/// written. Throws what text::parse, stablehlo::import_text and verify throw.
Module case_module(const Case& c);

}  // namespace hlo::conformance
