#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "interpreter/rules/op.h"

namespace hlo {

/// What an operation that updates elements by a region does: the result is
/// `initial`, to which the region is applied for each index of the sources, in
/// their order: the elements at `target` of the results become region(these
/// elements.., those of the sources at the index..).
struct Updates {
  std::vector<Literal> initial;  // of each result
  std::vector<Literal> sources;  // as many, of one shape
  /// The operands with which the initial values and the sources begin.
  size_t first_initial = 0;
  size_t first_source = 0;
  /// The dimensions of the sources; the index along the last one listed changes
  /// first.
  Ints order;
  /// Where the elements of the sources at an index go; nothing where nowhere.
  std::function<std::optional<Index>(const Index&)> target;
  /// Where they would go one by one, also where `target` says nowhere because
  /// others of their window lie outside; that may be outside too. Null where
  /// there are no windows.
  std::function<Index(const Index&)> place = {};
  const Computation* region = nullptr;
};

/// An element of the results, and an index of the sources whose elements update
/// it, as row-major positions.
struct Update {
  int64_t target;
  int64_t source;
};

/// All updates in their order.
std::vector<Update> in_order(const Updates& updates);

}  // namespace hlo
