#include "backends/tpu/operations/updates/update_registers.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <span>
#include <stdexcept>
#include <utility>

#include "backends/tpu/machine/lane_gather.h"
#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/memory/scratch_room.h"
#include "backends/tpu/operations/lane_source.h"
#include "backends/tpu/operations/operations.h"
#include "backends/tpu/operations/updates/chosen_cells.h"
#include "backends/tpu/operations/updates/scattered_windows.h"
#include "interpreter/model/storage.h"
#include "interpreter/plans/updates/apply_updates.h"
#include "interpreter/plans/updates/update_groups.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kKeptRegisters = 32;
// The updates that are in the scratch memory at a time.
constexpr int64_t kMostUpdates = int64_t{1} << 16;

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

/// What is updated, with what and by what.
struct UpdateTask {
  NextUpdates next;
  std::vector<const TiledArray*> sources;
  const Computation* region;
};

/// Register r of result k before any update.
using Initial = std::function<Register(size_t k, int64_t r)>;

/// Makes results of which register r of each holds the same elements.
class UpdateRun {
 public:
  UpdateRun(Machine& machine, const UpdateTask& task,
            std::vector<TiledArray>& results)
      : machine_(machine), task_(task), results_(results) {}

  void run(const Initial& initial) {
    for (size_t k = 0; k < results_.size(); ++k) {
      for (int64_t r = 0; r < results_[k].registers(); ++r) {
        store_register(machine_, initial(k, r), results_[k], r);
      }
    }
    const auto most = static_cast<size_t>(most_updates());
    // cppcheck-suppress unreadVariable; it is given back at the end
    const ScratchRoom room(machine_.scratch,
                           static_cast<int64_t>(most) * bytes_of_update());
    for (const TiledArray* source : task_.sources) {
      gathers_.emplace_back(machine_, *source, kKeptRegisters);
    }
    std::vector<Update> updates(most);
    int64_t blocks = 0;
    while (const size_t count = task_.next(updates)) {
      const bool is_cut = machine_.has(Fault::kLastUpdateLeftOut);
      updates.resize(is_cut ? count - 1 : count);
      apply_block(updates);
      updates.resize(most);
      ++blocks;
      if (machine_.has(Fault::kLaterBlocksLeftOut)) return;
    }
    if (blocks < 2) return;
    machine_.counters.splits += 1;
    machine_.counters.pieces += blocks;
  }

 private:
  /// What an update takes while it is applied: its place in the block, in that
  /// of its register and in its turn, and an element of each source, which may
  /// be converted to another type.
  int64_t bytes_of_update() const {
    constexpr int64_t kOfLists = 3 * sizeof(Update) + 2 * sizeof(int64_t);
    int64_t bytes = kOfLists;
    for (const TiledArray* source : task_.sources) {
      bytes += storage_bytes(source->shape.element_type);
    }
    for (const Instruction* parameter : task_.region->parameters) {
      bytes += storage_bytes(parameter->shape.element_type);
    }
    return bytes;
  }

  /// As many as a block has: half of what is free is for registers.
  int64_t most_updates() const {
    const int64_t free = machine_.scratch.size() - machine_.scratch.held();
    const int64_t all = task_.sources[0]->order->elements();
    return std::clamp<int64_t>(free / 2 / bytes_of_update(), 1,
                               std::clamp<int64_t>(all, 1, kMostUpdates));
  }

  void apply_block(const std::vector<Update>& updates) {
    const TileOrder& order = *results_[0].order;
    const UpdateGroups groups = group_updates(
        updates,
        [&](size_t u) {
          return static_cast<size_t>(order.lane_of(updates[u].target) / kLanes);
        },
        static_cast<size_t>(results_[0].registers()));
    for (int64_t r = 0; r < results_[0].registers(); ++r) {
      const std::span<const Update> own = groups[static_cast<size_t>(r)];
      if (!own.empty()) update(r, own);
    }
  }

  /// Updates register r of all results.
  void update(int64_t r, std::span<const Update> updates) {
    std::vector<Literal> values;
    std::vector<Register> registers;
    for (const TiledArray& result : results_) {
      registers.push_back(load_register(machine_, result, r));
      values.push_back(Literal::uninitialized(
          Shape::array(result.shape.element_type, {kLanes})));
      std::ranges::copy(bytes_of(registers.back()),
                        values.back().mutable_bytes().begin());
    }
    apply(updates, values);
    for (size_t k = 0; k < results_.size(); ++k) {
      std::ranges::copy(values[k].bytes(), registers[k].bytes());
      store_register(machine_, registers[k], results_[k], r);
    }
  }

  static std::span<const std::byte> bytes_of(const Register& lanes) {
    return {lanes.bytes(), static_cast<size_t>(lanes.width() * kLanes)};
  }

  void apply(std::span<const Update> updates, std::vector<Literal>& values) {
    std::vector<int64_t> positions;
    std::vector<Update> of_lanes;
    for (const Update& update : updates) {
      const int64_t lane = results_[0].order->lane_of(update.target) % kLanes;
      of_lanes.push_back({.target = lane, .source = std::ssize(positions)});
      positions.push_back(update.source);
    }
    std::vector<Literal> sources;
    for (size_t k = 0; k < task_.sources.size(); ++k) {
      sources.push_back(gathered(machine_, task_.sources[k]->shape.element_type,
                                 gathers_[k], positions));
    }
    apply_updates(values, of_lanes, sources, *task_.region, machine_.evaluator);
    machine_.counters.vector_operations += 1;
  }

  Machine& machine_;
  const UpdateTask& task_;
  std::vector<TiledArray>& results_;
  std::vector<LaneGather> gathers_;
};

/// The array with the elements of `like` in each register.
TiledArray with_lanes_of(Machine& machine, const Shape& shape,
                         const TiledArray& like) {
  TiledArray array = new_array(machine.memory, shape);
  if (array.order->same_lanes(*like.order)) return array;
  Shape other = Shape::array(shape.element_type, shape.dims);
  other.layout = Layout{};
  other.layout->minor_to_major = like.shape.layout->minor_to_major;
  const std::vector<Tile>& tiles = like.shape.layout->tiles;
  if (!tiles.empty()) other.layout->tiles = {tiles.front()};
  return new_array(machine.memory, other);
}

}  // namespace

std::vector<TiledArray> scattered(Machine& machine, const Instruction& scatter,
                                  const Values& operands,
                                  const std::vector<Shape>& shapes) {
  const size_t n = shapes.size();
  UpdateTask task{
      .next = scattered_windows(machine, scatter, operands[0]->shape,
                                operands[n]->array, operands[n + 1]->shape),
      .sources = {},
      .region = scatter.get<Computation*>("to_apply")};
  std::vector<TiledArray> results{new_array(machine.memory, shapes[0])};
  std::vector<LaneSource> initial;
  for (size_t k = 0; k < n; ++k) {
    if (k > 0) {
      results.push_back(with_lanes_of(machine, shapes[k], results[0]));
    }
    initial.emplace_back(machine, operands[k]->array, results[k]);
    task.sources.push_back(&operands[n + 1 + k]->array);
  }
  UpdateRun(machine, task, results).run([&](size_t k, int64_t r) {
    return initial[k].at(r);
  });
  for (size_t k = 1; k < n; ++k) {
    if (results[k].shape.layout == shapes[k].layout) continue;
    results[k] = relayout(machine, results[k], shapes[k]);
  }
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
      .next = chosen_cells(machine, windows, operands[0]->array, places),
      .sources = {&operands[1]->array},
      .region = instruction.get<Computation*>("scatter")};
  Register init =
      converted_lanes(machine, load_register(machine, operands[2]->array, 0),
                      shape.element_type);
  for (int64_t k = 1; k < kLanes; ++k) {
    std::memcpy(init.lane(k), init.lane(0), static_cast<size_t>(init.width()));
  }
  init.valid().set();
  std::vector<TiledArray> results{new_array(machine.memory, shape)};
  UpdateRun(machine, task, results).run([&](size_t, int64_t) {
    Register lanes(machine.scratch, shape.element_type);
    std::memcpy(lanes.bytes(), init.bytes(),
                static_cast<size_t>(init.width() * kLanes));
    lanes.valid() = init.valid();
    return lanes;
  });
  return results[0];
}

}  // namespace hlo::tpu
