#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backends/cpu/plan/memory/value_memory.h"

namespace hlo::cpu {

/// Where a thread has what only the steps of a division read.
class InnerPlaces {
 public:
  InnerPlaces(const StepPlan& plan, const Division& division);

  /// Part `part` of each value lies in memory of this thread, so the value
  /// begins that many parts before it, where nothing is read or written.
  void put(ValueMemory& memory, int64_t part) const;

 private:
  struct Place {
    size_t value;
    size_t begin;
    size_t bytes;  // of a part
  };

  std::vector<Place> places_;
  size_t bytes_ = 0;  // of all
};

}  // namespace hlo::cpu
