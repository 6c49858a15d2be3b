#pragma once

#include "conformance/certify/array/set_tree.h"

namespace hlo::conformance {

/// The elements of an array that exist at run time, with their sets; the array
/// itself where all do.
SetTree existing(const SetTree& array);

}  // namespace hlo::conformance
