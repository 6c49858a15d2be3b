#pragma once

#include <functional>

#include "interpreter/model/literal.h"

namespace hlo::definition {

/// The array of `shape` whose element at each index is element(index), in the
/// shape's type.
Literal generate(const Shape& shape,
                 const std::function<Scalar(const Index&)>& element);

/// Calls body(index) for all indices of an array of these dimensions, in
/// row-major order.
void for_each_index(const std::vector<int64_t>& dims,
                    const std::function<void(const Index&)>& body);

/// The index whose first dimensions are those of `outer`.
Index join(Index outer, const Index& inner);

}  // namespace hlo::definition
