#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "interpreter/stablehlo/syntax.h"

namespace hlo::stablehlo {

/// What a name stands for: one value, or some results of an operation.
struct NamedValues {
  Value* first = nullptr;
  const Operation* operation = nullptr;  // null for one value
  size_t index = 0;                      // of `first` among its results
  size_t count = 1;
};

/// The names that are known at one place of a text. The last that was defined
/// is the first to be forgotten; texts mostly use names that are not much
/// older, which lie next to each other here.
class ValueNames {
 public:
  /// What the name stands for; null where it is not known. Valid until the next
  /// insert.
  const NamedValues* find(std::string_view name) const;
  /// False where the name is known already.
  bool insert(std::string_view name, const NamedValues& values);

  size_t size() const { return entries_.size(); }

  /// Keeps the first `count` names.
  void truncate(size_t count);

 private:
  struct Entry {
    std::string_view name;
    NamedValues values;
    uint64_t hash = 0;
  };

  /// Open addressing: an entry is in the first slot that was free from the
  /// place of its hash on.
  struct Slot {
    uint32_t tag = 0;    // the hash's high bits
    uint32_t entry = 0;  // its number from 1 on; 0: free
  };

  size_t slot_of(std::string_view name, uint64_t hash) const;
  void grow();

  std::vector<Entry> entries_;
  std::vector<Slot> slots_;  // a power of two, at most half of them in use
};

}  // namespace hlo::stablehlo
