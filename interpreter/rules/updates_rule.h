#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "interpreter/rules/op.h"

namespace hlo {

/// What an operation that updates elements by a region does: the result is
/// `initial`, to which the region is applied for each index of the sources, in
/// row-major order: the elements at `target` of the results become
/// region(these elements.., those of the sources at the index..).
struct Updates {
  std::vector<Literal> initial;  // of each result
  std::vector<Literal> sources;  // as many, of one shape
  /// Where the elements of the sources at an index go; nothing where nowhere.
  std::function<std::optional<Index>(const Index&)> target;
  const Computation* region = nullptr;
};

}  // namespace hlo
