#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "interpreter/model/module.h"
#include "interpreter/stablehlo/import/importer/conversion.h"
#include "interpreter/stablehlo/syntax.h"

namespace hlo::stablehlo {

/// How a region that is applied to elements gets what it uses of outside.
struct Passing {
  std::vector<const Value*> values = {};  // `captures`, as further operands
  size_t groups = 1;      // its arguments come in so many groups of equal size,
                          // and each value behind each group
  size_t copies = 1;      // so many times
  bool returns = false;   // and it returns them
  bool as_tuple = false;  // one result is a tuple, too
  // What its arguments come as, from which they are converted; by default their
  // own type.
  std::optional<ElementType> type = std::nullopt;
};

/// The computation of region `i`, which takes arrays and returns them.
Computation* applied_region(const Conversion& c, size_t i,
                            const Passing& passing = {});
/// A scalar that a region uses. Error "stablehlo.capture" where it is none.
Instruction* passed_scalar(const Conversion& c, const Value& value);
/// Error "stablehlo.capture" where the region uses what is not constant.
void check_no_captures(const Conversion& c, size_t i);
/// The element type of argument `i` of the region. Error "stablehlo.regions"
/// where it has fewer.
ElementType argument_type(const Conversion& c, const Block& block, size_t i);

}  // namespace hlo::stablehlo
