#pragma once

#include <memory>
#include <optional>

#include "interpreter/rules/op.h"

namespace hlo {

/// A comparator that compares the same function of both elements of one
/// operand: compare(f(a), f(b)).
struct KeyedComparison {
  size_t operand;
  bool descending;
  bool total_order;
  /// f as a region of one parameter; null where it is the identity.
  std::unique_ptr<Computation> key;
};

/// The parts of such a comparator, in the direction LT or GT, or nothing.
std::optional<KeyedComparison> find_keyed(const Computation& comparator);

}  // namespace hlo
