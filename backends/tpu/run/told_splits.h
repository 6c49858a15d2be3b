#pragma once

#include <cstdint>
#include <string>

#include "backends/tpu/program/layout_plan.h"

namespace hlo::tpu {

/// What `assay compile --explain` tells of operations of which a part, a line,
/// a matrix or a feature, is larger than a scratch memory of so many bytes: a
/// line for each, with how it is split; nothing where there are none.
std::string told_splits(const LayoutPlan& plan, int64_t scratch);

}  // namespace hlo::tpu
