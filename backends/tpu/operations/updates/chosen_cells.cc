#include "backends/tpu/operations/updates/chosen_cells.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "backends/tpu/machine/lane_gather.h"
#include "backends/tpu/operations/fold_cells.h"
#include "interpreter/plans/region/region.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kKeptRegisters = 64;

/// The choices of the windows at as many places as a register has lanes.
class Chooser {
 public:
  Chooser(Machine& machine, const Fold& windows, const TiledArray& array,
          int64_t places)
      : machine_(machine),
        windows_(windows),
        places_(places),
        type_(array.shape.element_type),
        gather_(machine, array, kKeptRegisters),
        region_(*windows.reducer, machine.evaluator),
        scratch_(region_, kLanes) {}

  size_t next(std::span<Update> into) {
    size_t count = 0;
    while (count < into.size() && place_ < places_) {
      const int64_t some =
          std::min({kLanes, places_ - place_,
                    static_cast<int64_t>(into.size() - count)});
      const LaneElements& chosen = choose(place_, some);
      for (int64_t k = 0; k < some; ++k) {
        const int64_t position = chosen[static_cast<size_t>(k)];
        if (position == TileOrder::kPadding) continue;
        into[count++] = {.target = position, .source = place_ + k};
      }
      place_ += some;
    }
    return count;
  }

 private:
  /// The positions that the windows from place `first` on choose, or
  /// TileOrder::kPadding for those without a cell.
  const LaneElements& choose(int64_t first, int64_t count) {
    LaneElements places;
    places.fill(TileOrder::kPadding);
    for (int64_t k = 0; k < count; ++k) {
      places[static_cast<size_t>(k)] = first + k;
    }
    chosen_.fill(TileOrder::kPadding);
    FoldCells cells(windows_, places);
    if (cells.lanes() == 0) return chosen_;
    LaneElements some;
    while (const int64_t taken = cells.next(some)) {
      for (int64_t c = 0; c < taken; ++c) visit(cells, some, c);
    }
    return chosen_;
  }

  /// Cell c of each lane is chosen, or compared with the choice.
  void visit(const FoldCells& cells, const LaneElements& some, int64_t c) {
    std::vector<size_t> lanes;
    LaneElements choices;
    LaneElements candidates;
    choices.fill(TileOrder::kPadding);
    candidates.fill(TileOrder::kPadding);
    for (int64_t i = 0; i < cells.lanes(); ++i) {
      const int64_t cell = some[static_cast<size_t>(c * cells.lanes() + i)];
      const auto lane = static_cast<size_t>(cells.lane(i));
      if (cell == TileOrder::kPadding) continue;
      if (chosen_[lane] == TileOrder::kPadding) {
        chosen_[lane] = cell;
        continue;
      }
      choices[lanes.size()] = chosen_[lane];
      candidates[lanes.size()] = cell;
      lanes.push_back(lane);
    }
    if (!lanes.empty()) compare(lanes, choices, candidates);
  }

  void compare(const std::vector<size_t>& lanes, const LaneElements& choices,
               const LaneElements& candidates) {
    Register lhs(machine_.scratch, type_);
    Register rhs(machine_.scratch, type_);
    Register stays(machine_.scratch, ElementType::kPred);
    gather_.gather(choices, lhs);
    gather_.gather(candidates, rhs);
    const std::byte* const inputs[] = {lhs.bytes(), rhs.bytes()};
    std::byte* const output = stays.bytes();
    region_.run(scratch_, std::ssize(lanes), inputs, &output);
    machine_.counters.vector_operations += 1;
    for (size_t k = 0; k < lanes.size(); ++k) {
      const bool is_kept = *stays.lane(static_cast<int64_t>(k)) != std::byte{0};
      if (!is_kept) chosen_[lanes[k]] = candidates[k];
    }
  }

  Machine& machine_;
  const Fold& windows_;
  int64_t places_;
  int64_t place_ = 0;  // the next one
  ElementType type_;
  LaneGather gather_;
  Region region_;
  Region::Scratch scratch_;
  LaneElements chosen_{};
};

}  // namespace

NextUpdates chosen_cells(Machine& machine, const Fold& windows,
                         const TiledArray& array, int64_t places) {
  const auto chooser =
      std::make_shared<Chooser>(machine, windows, array, places);
  return [chooser](std::span<Update> into) { return chooser->next(into); };
}

}  // namespace hlo::tpu
