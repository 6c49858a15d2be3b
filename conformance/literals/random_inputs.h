#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// For each parameter of a verified module, the number of products in a sum
/// that its elements enter: the largest over the dots, and the convolutions
/// whose kernel it is, that it reaches unchanged or only moved and converted;
/// 1 where there is none.
std::vector<int64_t> fan_ins(const Module& module);

/// The value of a parameter of that shape for a seed (spec/conformance.md,
/// Random inputs): positive floats around 1 / fan_in, small integers that are
/// not negative. Each element depends on the seed, the parameter's number and
/// its place alone.
Literal random_input(uint64_t seed, int64_t parameter_number,
                     const Shape& shape, int64_t fan_in);

}  // namespace hlo::conformance
