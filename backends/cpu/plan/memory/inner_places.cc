#include "backends/cpu/plan/memory/inner_places.h"

#include <algorithm>
#include <map>

#include "backends/cpu/kernels/scratch.h"

namespace hlo::cpu {
namespace {

constexpr size_t kBoundary = 64;

}  // namespace

InnerPlaces::InnerPlaces(const StepPlan& plan, const Division& division) {
  std::map<int64_t, size_t> sizes;  // of parts, by places in the block
  const auto part = [&](size_t value) {
    return plan.graph.values[value].bytes / static_cast<size_t>(division.parts);
  };
  for (const size_t value : division.inner) {
    size_t& size = sizes[plan.offsets[value]];
    size =
        std::max(size, (part(value) + kBoundary - 1) / kBoundary * kBoundary);
  }
  std::map<int64_t, size_t> begins;
  for (const auto& [offset, size] : sizes) {
    begins[offset] = bytes_;
    bytes_ += size;
  }
  for (const size_t value : division.inner) {
    places_.push_back({value, begins[plan.offsets[value]], part(value)});
  }
}

void InnerPlaces::put(ValueMemory& memory, int64_t part) const {
  std::byte* const scratch = scratch_bytes(Scratch::kPart, bytes_);
  for (const Place& own : places_) {
    memory.put_only(own.value, scratch + own.begin -
                                   part * static_cast<int64_t>(own.bytes));
  }
}

}  // namespace hlo::cpu
