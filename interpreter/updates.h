#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/op.h"

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

/// The result: a literal, or a tuple where there are several.
Literal apply(Updating updating, Operands operands, const Evaluator& evaluator);

/// Applies the updates in order to `results`, as many literals as `sources`;
/// the region takes an element of each, then of each source. Elements without
/// updates keep their bits; a region that adds floats gives the exact sum of
/// an element and all its updates, rounded once.
void apply_updates(std::vector<Literal>& results,
                   const std::vector<Update>& updates, Operands sources,
                   const Computation& region, const Evaluator& evaluator);

}  // namespace hlo
