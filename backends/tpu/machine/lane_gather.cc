#include "backends/tpu/machine/lane_gather.h"

#include <algorithm>
#include <utility>

#include "backends/tpu/machine/record_step.h"
#include "backends/tpu/machine/transfer.h"
#include "interpreter/model/storage.h"

namespace hlo::tpu {
namespace {

constexpr int32_t kNowhere = -1;

}  // namespace

LaneGather::LaneGather(Machine& machine, const TiledArray& array, int64_t most)
    : machine_(machine),
      array_(array),
      most_(std::max<int64_t>(most, 1)),
      place_(static_cast<size_t>(array.registers()), kNowhere) {}

bool LaneGather::keeps_one_more() const {
  return kept_.empty() ||
         (std::ssize(kept_) < most_ && machine_.scratch.has_spare_room());
}

LaneGather::Kept& LaneGather::loaded(int64_t r) {
  int32_t& place = place_[static_cast<size_t>(r)];
  if (place == kNowhere && keeps_one_more()) {
    place = static_cast<int32_t>(kept_.size());
    kept_.push_back({load_register(machine_, array_, r), r, 0});
  } else if (place == kNowhere) {
    const auto oldest = std::ranges::min_element(kept_, {}, &Kept::last_use);
    machine_.counters.shifts += static_cast<int64_t>(oldest->moved.count());
    place_[static_cast<size_t>(oldest->number)] = kNowhere;
    place = static_cast<int32_t>(oldest - kept_.begin());
    // The scratch memory may have no room for both.
    { const Register given_back = std::move(oldest->lanes); }
    *oldest = {load_register(machine_, array_, r), r, 0};
  }
  Kept& kept = kept_[static_cast<size_t>(place)];
  // It may have been loaded for lanes before these.
  if (kept.last_use != 0) record_step(machine_, array_, r, /*is_store=*/false);
  kept.last_use = ++uses_;
  return kept;
}

template <typename T>
void LaneGather::move_lanes(const LaneElements& elements, Register& into) {
  T* const to = reinterpret_cast<T*>(into.bytes());
  Kept* kept = nullptr;
  int64_t number = kNowhere;
  const bool is_stuck = machine_.has(Fault::kOneRegisterGathered);
  const int64_t too_far = machine_.has(Fault::kShiftTooFar) ? 1 : 0;
  for (int64_t k = 0; k < kLanes; ++k) {
    const int64_t element = elements[static_cast<size_t>(k)];
    if (element == TileOrder::kPadding) continue;
    const int64_t lane = array_.order->lane_of(element);
    const bool stays = kept != nullptr && is_stuck;
    if (number != lane / kLanes && !stays) {
      number = lane / kLanes;
      kept = &loaded(number);
    }
    int64_t source = lane % kLanes;
    if (source != k) source = (source + too_far) % kLanes;
    to[k] = reinterpret_cast<const T*>(kept->lanes.bytes())[source];
    if (!kept->lanes.valid()[static_cast<size_t>(source)]) {
      read_of_padding(array_, number * kLanes + source);
    }
    into.valid().set(static_cast<size_t>(k));
    kept->moved.set(static_cast<size_t>(k - source + kLanes));
  }
}

/// Lanes that come from one register by one distance move together.
void LaneGather::count_shifts() {
  for (Kept& kept : kept_) {
    if (kept.moved.none()) continue;
    machine_.counters.shifts += static_cast<int64_t>(kept.moved.count());
    kept.moved.reset();
  }
}

void LaneGather::gather(const LaneElements& elements, Register& into) {
  with_storage(static_cast<int>(into.width()),
               [&](auto zero) { move_lanes<decltype(zero)>(elements, into); });
  count_shifts();
}

LaneElements elements_of(const TileOrder& order, int64_t r) {
  LaneElements elements;
  elements.fill(TileOrder::kPadding);
  for (int64_t k = 0; k < kLanes && r * kLanes + k < order.lanes(); ++k) {
    elements[static_cast<size_t>(k)] = order.element_of(r * kLanes + k);
  }
  return elements;
}

}  // namespace hlo::tpu
