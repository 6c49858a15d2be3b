#include "backends/tpu/operations/updates/update_registers.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <span>
#include <stdexcept>

#include "backends/tpu/machine/lane_gather.h"
#include "backends/tpu/machine/lane_scatter.h"
#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/machine/whole_array.h"
#include "backends/tpu/operations/lane_source.h"
#include "backends/tpu/operations/parts/staged_array.h"
#include "backends/tpu/operations/updates/chosen_cells.h"
#include "interpreter/model/storage.h"
#include "interpreter/plans/updates/apply_updates.h"
#include "interpreter/plans/updates/scatter_map.h"
#include "interpreter/plans/updates/update_groups.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kKeptRegisters = 32;
// The updates of a register that are in the scratch memory at a time.
constexpr size_t kMostUpdates = size_t{1} << 16;

/// The elements at these positions, dense, in the scratch memory.
Literal gathered(Machine& machine, ElementType type, LaneGather& gather,
                 std::span<const int64_t> positions) {
  const auto n = static_cast<int64_t>(positions.size());
  Literal dense = Literal::uninitialized(Shape::array(type, {n}));
  std::byte* into = dense.mutable_bytes().data();
  for (int64_t first = 0; first < n; first += kLanes) {
    const int64_t count = std::min(kLanes, n - first);
    LaneElements elements;
    elements.fill(TileOrder::kPadding);
    std::copy_n(positions.begin() + first, count, elements.begin());
    Register lanes(machine.scratch, type);
    gather.gather(elements, lanes);
    if (static_cast<int64_t>(lanes.valid().count()) < count) {
      throw std::logic_error("padding was read as an update");
    }
    std::memcpy(into + first * lanes.width(), lanes.bytes(),
                static_cast<size_t>(count * lanes.width()));
  }
  return dense;
}

/// What an update list is applied to, and by what.
struct UpdateTask {
  std::vector<Update> updates;
  std::vector<const TiledArray*> sources;
  const Computation* region;
};

/// The initial elements at positions of result k.
using Initial =
    std::function<Literal(size_t k, std::span<const int64_t> positions)>;

class UpdateRun {
 public:
  UpdateRun(Machine& machine, const UpdateTask& task, const Initial& initial,
            std::vector<TiledArray>& results)
      : machine_(machine), task_(task), initial_(initial), results_(results) {
    for (const TiledArray* source : task.sources) {
      gathers_.emplace_back(machine, *source, kKeptRegisters);
    }
    for (const TiledArray& result : results) {
      scatters_.emplace_back(machine, result, kKeptRegisters);
    }
  }

  void run() {
    const TileOrder& order = *results_[0].order;
    const UpdateGroups groups = group_updates(
        task_.updates,
        [&](size_t u) {
          const int64_t lane = order.lane_of(task_.updates[u].target);
          return static_cast<size_t>(lane / kLanes);
        },
        static_cast<size_t>(results_[0].registers()));
    for (int64_t r = 0; r < results_[0].registers(); ++r) {
      update(r, groups[static_cast<size_t>(r)]);
    }
    for (LaneScatter& scatter : scatters_) scatter.finish();
  }

 private:
  /// Makes register r of all results.
  void update(int64_t r, std::span<const Update> updates) {
    std::vector<int64_t> positions;
    const LaneElements elements = elements_of(*results_[0].order, r);
    for (int64_t k = 0; k < kLanes; ++k) {
      const int64_t element = elements[static_cast<size_t>(k)];
      if (element == TileOrder::kPadding) continue;
      place_[static_cast<size_t>(k)] = std::ssize(positions);
      positions.push_back(element);
    }
    std::vector<Literal> values;
    for (size_t k = 0; k < results_.size(); ++k) {
      values.push_back(initial_(k, positions));
    }
    for (size_t u = 0; u < updates.size(); u += kMostUpdates) {
      apply_some(updates.subspan(u, std::min(kMostUpdates, updates.size() - u)),
                 values);
    }
    for (size_t k = 0; k < results_.size(); ++k) {
      put(values[k], positions, scatters_[k]);
    }
  }

  void apply_some(std::span<const Update> updates,
                  std::vector<Literal>& values) {
    std::vector<int64_t> positions;
    std::vector<Update> among_these;
    for (const Update& update : updates) {
      const int64_t lane = results_[0].order->lane_of(update.target) % kLanes;
      among_these.push_back({.target = place_[static_cast<size_t>(lane)],
                             .source = std::ssize(positions)});
      positions.push_back(update.source);
    }
    std::vector<Literal> sources;
    int64_t bytes = 0;
    for (size_t k = 0; k < task_.sources.size(); ++k) {
      sources.push_back(gathered(machine_, task_.sources[k]->shape.element_type,
                                 gathers_[k], positions));
      bytes += std::ssize(sources.back().bytes());
    }
    // cppcheck-suppress unreadVariable; it is given back at the end
    const ScratchRoom room(machine_.scratch, bytes);
    apply_updates(values, among_these, sources, *task_.region,
                  machine_.evaluator);
    machine_.counters.vector_operations += 1;
  }

  void put(const Literal& value, const std::vector<int64_t>& positions,
           LaneScatter& scatter) {
    Register lanes(machine_.scratch, value.type());
    std::memcpy(lanes.bytes(), value.bytes().data(), value.bytes().size());
    LaneElements elements;
    elements.fill(TileOrder::kPadding);
    std::ranges::copy(positions, elements.begin());
    for (size_t k = 0; k < positions.size(); ++k) lanes.valid().set(k);
    scatter.scatter(lanes, elements);
  }

  Machine& machine_;
  const UpdateTask& task_;
  const Initial& initial_;
  std::vector<TiledArray>& results_;
  std::vector<LaneGather> gathers_;
  std::vector<LaneScatter> scatters_;
  std::array<int64_t, kLanes> place_{};  // of each lane among the elements
};

}  // namespace

std::vector<TiledArray> scattered(Machine& machine, const Instruction& scatter,
                                  const Values& operands,
                                  const std::vector<Shape>& shapes) {
  const size_t n = shapes.size();
  std::vector<TiledArray> results;
  std::vector<LaneGather> gathers;
  UpdateTask task{.updates = scatter_updates(
                      ScatterDimensions(scatter), operands[0]->shape,
                      read_whole(machine, operands[n]->array).elements,
                      operands[n + 1]->shape),
                  .sources = {},
                  .region = scatter.get<Computation*>("to_apply")};
  for (size_t k = 0; k < n; ++k) {
    results.push_back(new_array(machine.memory, shapes[k]));
    gathers.emplace_back(machine, operands[k]->array, kKeptRegisters);
    task.sources.push_back(&operands[n + 1 + k]->array);
  }
  const Initial initial = [&](size_t k, std::span<const int64_t> positions) {
    return gathered(machine, operands[k]->shape.element_type, gathers[k],
                    positions);
  };
  UpdateRun(machine, task, initial, results).run();
  return results;
}

TiledArray selected_and_scattered(Machine& machine,
                                  const Instruction& instruction,
                                  const Values& operands, const Shape& shape) {
  const Fold windows{1,
                     window_axes(operands[0]->shape, operands[1]->shape,
                                 instruction.get_or("window", Window{})),
                     instruction.get<Computation*>("select")};
  const int64_t places = operands[1]->shape.element_count();
  const UpdateTask task{
      .updates = chosen_cells(machine, windows, operands[0]->array, places),
      .sources = {&operands[1]->array},
      .region = instruction.get<Computation*>("scatter")};
  const Register init =
      converted_lanes(machine, load_register(machine, operands[2]->array, 0),
                      shape.element_type);
  const Scalar first{shape.element_type,
                     load(shape.element_type, init.lane(0))};
  const Initial initial = [&](size_t, std::span<const int64_t> positions) {
    const auto count = static_cast<int64_t>(positions.size());
    return Literal::splat(Shape::array(shape.element_type, {count}), first);
  };
  std::vector<TiledArray> results{new_array(machine.memory, shape)};
  UpdateRun(machine, task, initial, results).run();
  return results[0];
}

}  // namespace hlo::tpu
