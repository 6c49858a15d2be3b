#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "interpreter/rules/op.h"

namespace hlo {

/// A key by which a comparator orders: a function of an element of one operand.
struct SortKey {
  size_t operand = 0;
  bool total_order = false;
  bool descending = false;
  /// The function as a region of one parameter; null where it is the identity.
  std::unique_ptr<Computation> key = nullptr;
};

/// The key of a comparator that is one comparison, in the direction LT or GT.
std::optional<SortKey> find_key(const Computation& comparator);

/// The keys by which a comparator orders, of which the first that differ decide
/// as long as all can be compared; empty where it is no such order, or is not
/// known to be one. It is one if it is some function of comparisons of keys and
/// that function, tried for each way in which the keys can stand to each other,
/// says so: how the comparator is written does not count.
std::vector<SortKey> find_keys(const Computation& comparator,
                               Evaluator& evaluator);

}  // namespace hlo
