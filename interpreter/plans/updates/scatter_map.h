#pragma once

#include <vector>

#include "interpreter/plans/updates/updates.h"
#include "interpreter/rules/dimensions/scatter_dimensions.h"

namespace hlo {

/// Which element of the updates goes to which element of the operand: window
/// after window. A window that does not lie in the operand as a whole is left
/// out.
std::vector<Update> scatter_updates(const ScatterDimensions& dims,
                                    const Shape& operand,
                                    const Literal& indices,
                                    const Shape& updates);

}  // namespace hlo
