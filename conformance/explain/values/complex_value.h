#pragma once

#include <optional>
#include <span>
#include <vector>

#include "conformance/explain/values/real_value.h"
#include "interpreter/model/literal.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// The exact parts of an element-wise operation's result (one where it is
/// real) of operands of which some are complex, or of a complex result;
/// nothing where a part is no finite number, or where that is not known.
std::optional<std::vector<RealValue>> complex_value(
    const Op& op, std::span<const Scalar> operands, ElementType result);

}  // namespace hlo::conformance
