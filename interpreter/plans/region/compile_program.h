#pragma once

#include <optional>

#include "interpreter/plans/region/program.h"
#include "interpreter/run/budget.h"

namespace hlo {

/// The code of `region`, or nothing where it holds anything but element-wise
/// operations, constants, tuples, control flow and calls of such regions on
/// scalars. With `dims` it works on arrays of these dimensions whose elements
/// have nothing to do with each other: all its steps are element-wise, and
/// scalars in it are constants or made of them; the code runs on elements as if
/// on scalars.
std::optional<Program> compile_program(const Computation& region,
                                       const Ints& dims = {});

/// compile_program() that draws from a budget: what calls double at each level
/// is looked at for long before it turns out to be too much.
std::optional<Program> compile_program(const Computation& region,
                                       const Ints& dims, Budget& budget);

}  // namespace hlo
