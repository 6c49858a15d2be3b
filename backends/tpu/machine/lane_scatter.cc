#include "backends/tpu/machine/lane_scatter.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <utility>

#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/memory/trap.h"
#include "interpreter/counted.h"

namespace hlo::tpu {

LaneScatter::LaneScatter(Machine& machine, const TiledArray& array,
                         int64_t most)
    : machine_(machine), array_(array), most_(std::max<int64_t>(most, 1)) {}

void LaneScatter::store(int64_t r) {
  Register& lanes = begun_.at(r).lanes;
  written_ += static_cast<int64_t>(lanes.valid().count());
  if (machine_.has(Fault::kWholeRegistersScattered)) lanes.valid().set();
  store_lanes(machine_, lanes, array_, r);
  begun_.erase(r);
}

Register& LaneScatter::begun(int64_t r) {
  auto found = begun_.find(r);
  if (found == begun_.end()) {
    const bool is_full =
        std::ssize(begun_) == most_ || !machine_.scratch.has_spare_room();
    if (!begun_.empty() && is_full) {
      store(std::ranges::min_element(begun_, {}, [](const auto& one) {
              return one.second.last_use;
            })->first);
    }
    Register lanes(machine_.scratch, array_.shape.element_type);
    found = begun_.emplace(r, Begun{std::move(lanes), 0}).first;
  }
  found->second.last_use = ++uses_;
  return found->second.lanes;
}

int64_t LaneScatter::end_of(const LaneElements& elements) const {
  if (!machine_.has(Fault::kLastLaneNotScattered)) return kLanes;
  int64_t last = kLanes - 1;
  while (last > 0 &&
         elements[static_cast<size_t>(last)] == TileOrder::kPadding) {
    last -= 1;
  }
  return last;
}

void LaneScatter::scatter(const Register& from, const LaneElements& elements) {
  const auto width = static_cast<size_t>(from.width());
  std::set<std::pair<int64_t, int64_t>> moves;  // to which register, how far
  std::pair<int64_t, int64_t> last = {-1, 0};
  Register* into = nullptr;
  const int64_t end = end_of(elements);
  for (int64_t k = 0; k < end; ++k) {
    const int64_t element = elements[static_cast<size_t>(k)];
    if (element == TileOrder::kPadding) continue;
    const int64_t lane = array_.order->lane_of(element);
    const int64_t target = lane % kLanes;
    if (last.first != lane / kLanes) into = &begun(lane / kLanes);
    if (last != std::pair(lane / kLanes, k - target)) {
      last = {lane / kLanes, k - target};
      moves.insert(last);
    }
    std::memcpy(into->lane(target), from.lane(k), width);
    into->valid()[static_cast<size_t>(target)] =
        from.valid()[static_cast<size_t>(k)];
  }
  machine_.counters.shifts += std::ssize(moves);
  for (const auto& [r, distance] : moves) store_if_complete(r);
}

void LaneScatter::store_if_complete(int64_t r) {
  const auto found = begun_.find(r);
  if (found == begun_.end()) return;
  if (machine_.has(Fault::kWholeRegistersScattered) ||
      is_complete(found->second.lanes, array_, r)) {
    store(r);
  }
}

void LaneScatter::leave() {
  while (!begun_.empty()) store(begun_.begin()->first);
}

void LaneScatter::finish() {
  leave();
  if (written_ != array_.order->elements()) {
    throw Trap("tpu.unwritten", "has written " + counted(written_, "element") +
                                    " of " + to_string(array_.shape) +
                                    ", but all must be");
  }
}

}  // namespace hlo::tpu
