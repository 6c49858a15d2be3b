#pragma once

#include <functional>

#include "interpreter/model/index_loops.h"
#include "interpreter/model/literal.h"

namespace hlo::definition {

/// The array of `shape` whose element at each index is element(index), in the
/// shape's type.
Literal generate(const Shape& shape,
                 const std::function<Scalar(const Index&)>& element);

/// The index whose first dimensions are those of `outer`.
Index join(Index outer, const Index& inner);

}  // namespace hlo::definition
