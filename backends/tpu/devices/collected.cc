#include "backends/tpu/devices/collected.h"

#include <map>

#include "backends/tpu/machine/lane_gather.h"
#include "backends/tpu/operations/fills/fill.h"

namespace hlo::tpu {
namespace {

/// Brings elements of several arrays to lanes; keeps registers of few of them.
class ManyGathers {
 public:
  ManyGathers(Machine& machine, const std::vector<const TiledArray*>& arrays)
      : machine_(machine), arrays_(arrays) {}

  void gather(size_t array, const LaneElements& elements, Register& into) {
    constexpr size_t kMostArrays = 32;
    constexpr int64_t kKeptRegisters = 8;  // of each
    auto found = gathers_.find(array);
    if (found == gathers_.end()) {
      if (gathers_.size() == kMostArrays) gathers_.clear();
      found =
          gathers_
              .try_emplace(array, machine_, *arrays_.at(array), kKeptRegisters)
              .first;
    }
    found->second.gather(elements, into);
  }

 private:
  Machine& machine_;
  const std::vector<const TiledArray*>& arrays_;
  std::map<size_t, LaneGather> gathers_;
};

}  // namespace

TiledArray collected(Machine& machine, const Shape& shape,
                     const std::vector<const TiledArray*>& arrays,
                     const std::function<Origin(int64_t)>& origin_of) {
  ManyGathers gathers(machine, arrays);
  return filled(
      machine, shape, [&](const LaneElements& elements, Register& into) {
        std::map<size_t, LaneElements> sources;
        for (size_t k = 0; k < elements.size(); ++k) {
          if (elements[k] == TileOrder::kPadding) continue;
          const Origin origin = origin_of(elements[k]);
          const auto [source, is_new] = sources.try_emplace(origin.array);
          if (is_new) source->second.fill(TileOrder::kPadding);
          source->second[k] = origin.position;
        }
        for (const auto& [array, positions] : sources) {
          gathers.gather(array, positions, into);
        }
      });
}

}  // namespace hlo::tpu
