#pragma once

#include <optional>
#include <vector>

#include "backends/cpu/kernels/sorting/sort_key.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// A key of the rows that a sort puts in order.
struct ComparedKey {
  size_t operand = 0;
  SortKey key;
};

/// The keys that a comparator orders rows by, the first one first: compare LT
/// or GT of both rows' elements, where these are equal the next such pair. A
/// float may go through selects that make both zeros, or all NaNs, one.
/// nullopt where the comparator is another one.
std::optional<std::vector<ComparedKey>> compared_keys(
    const Computation& comparator);

/// Whether a compare asks for the total order of floats, and not for values.
bool by_total_order(const Instruction& compare);

/// The key of a type by total order; nullopt of types without one here.
std::optional<SortKey> key_of_type(ElementType type);

}  // namespace hlo::cpu
