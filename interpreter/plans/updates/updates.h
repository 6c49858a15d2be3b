#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/rules/op.h"

namespace hlo {

/// One application of a region: the element at `target` of each result becomes
/// region(current elements.., elements at `source` of the updates..).
struct Update {
  int64_t target;
  int64_t source;
};

/// The result of scatter and of select-and-scatter: `initial`, a literal for
/// each result, to which updates are applied whose sources are the operands
/// from `first_source` on, one for each result.
struct Updating {
  std::vector<Literal> initial;
  std::vector<Update> updates;
  int64_t first_source = 0;
  const Computation* region = nullptr;
};

}  // namespace hlo
