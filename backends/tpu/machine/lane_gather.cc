#include "backends/tpu/machine/lane_gather.h"

#include <algorithm>
#include <cstring>

#include "backends/tpu/machine/transfer.h"

namespace hlo::tpu {

LaneGather::LaneGather(Machine& machine, const TiledArray& array, int64_t most)
    : machine_(machine), array_(array), most_(std::max<int64_t>(most, 1)) {}

const Register& LaneGather::loaded(int64_t r) {
  auto found = kept_.find(r);
  if (found == kept_.end()) {
    if (std::ssize(kept_) == most_) {
      kept_.erase(std::ranges::min_element(
          kept_, {}, [](const auto& kept) { return kept.second.last_use; }));
    }
    found = kept_.emplace(r, Kept{load_register(machine_, array_, r), 0}).first;
  }
  found->second.last_use = ++uses_;
  return found->second.lanes;
}

void LaneGather::gather(const LaneElements& elements, Register& into) {
  // Lanes that come from one register by one distance move together.
  std::map<int64_t, std::bitset<2 * kLanes>> distances;
  const auto width = static_cast<size_t>(into.width());
  const Register* from = nullptr;
  std::bitset<2 * kLanes>* moved = nullptr;
  int64_t number = -1;
  for (int64_t k = 0; k < kLanes; ++k) {
    const int64_t element = elements[static_cast<size_t>(k)];
    if (element == TileOrder::kPadding) continue;
    const int64_t lane = array_.order->lane_of(element);
    if (number != lane / kLanes) {
      number = lane / kLanes;
      from = &loaded(number);
      moved = &distances[number];
    }
    const int64_t source = lane % kLanes;
    std::memcpy(into.lane(k), from->lane(source), width);
    into.valid()[static_cast<size_t>(k)] =
        from->valid()[static_cast<size_t>(source)];
    moved->set(static_cast<size_t>(k - source + kLanes));
  }
  for (const auto& [r, shifts] : distances) {
    machine_.counters.shifts += static_cast<int64_t>(shifts.count());
  }
}

}  // namespace hlo::tpu
