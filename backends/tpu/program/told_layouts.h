#pragma once

#include <string>

#include "backends/tpu/program/layout_plan.h"

namespace hlo::tpu {

/// What `assay compile --explain` tells of the plan (spec/commands.md): a line
/// for each array that an instruction makes or is given, with the bytes of its
/// elements, those that it takes in memory and how many of these are waste, and
/// one for each copy. Error "layout.C8" where an array is too large to have an
/// address.
std::string told_layouts(const LayoutPlan& plan);

}  // namespace hlo::tpu
