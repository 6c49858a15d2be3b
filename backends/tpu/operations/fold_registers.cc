#include <algorithm>
#include <cstring>
#include <memory>

#include "backends/tpu/machine/lane_scatter.h"
#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/operations/fold_cells.h"
#include "backends/tpu/operations/fold_lanes.h"
#include "backends/tpu/operations/lane_source.h"
#include "backends/tpu/operations/operations.h"
#include "backends/tpu/operations/padding_terms.h"
#include "interpreter/rules/known_reducer.h"
#include "interpreter/rules/plan.h"

namespace hlo::tpu {
namespace {

/// Whether the fold adds numbers that are rounded.
bool is_sum(const Computation& region) {
  const ElementType type = region.root->shape.element_type;
  return region.parameters.size() == 2 && recognize(region) == Reducer::kAdd &&
         (is_float(type) || is_complex(type));
}

class FoldRun {
 public:
  FoldRun(Machine& machine, const Instruction& instruction,
          const Values& operands, std::vector<TiledArray>& results)
      : machine_(machine),
        fold_(find_plan(*instruction.op).plan->fold(instruction)),
        region_(*fold_.reducer, machine.evaluator),
        results_(results) {
    const auto count = static_cast<size_t>(fold_.inputs);
    for (size_t k = 0; k < count; ++k) {
      const TiledArray& input = operands[k]->array;
      const int64_t room = machine.scratch.room(input.shape.element_type);
      gathers_.emplace_back(machine, input, room / (2 * fold_.inputs));
      types_.push_back(input.shape.element_type);
      inputs_.push_back(&input);
      initial_.push_back(load_register(machine, operands[count + k]->array, 0));
      if (machine.has(Fault::kInitialValueIgnored)) clear(initial_.back());
      scatters_.emplace_back(machine, results[k], kBegunRegisters);
    }
    if (is_sum(*fold_.reducer)) {
      lanes_ = std::make_unique<SumLanes>(machine, region_.outputs()[0]);
    } else {
      lanes_ = std::make_unique<RegionLanes>(machine, region_);
    }
  }

  void run() {
    for (int64_t r = 0; r < results_[0].registers(); ++r) fill(r);
    for (LaneScatter& scatter : scatters_) scatter.finish();
  }

 private:
  static constexpr int64_t kBegunRegisters = 16;

  void fill(int64_t r) {
    const LaneElements elements = elements_of(*results_[0].order, r);
    FoldCells cells(fold_, elements);
    if (cells.lanes() == 0) return;
    lanes_->start(initial_, cells.lanes());
    LaneElements terms;
    const int64_t left_out = machine_.has(Fault::kLastCellLeftOut) ? 1 : 0;
    while (const int64_t count = cells.next(terms)) {
      lanes_->take(gather(terms));
      for (int64_t c = 0; c < count - left_out; ++c) {
        lanes_->add(c * cells.lanes());
      }
    }
    if (folds_padding(machine_, *inputs_[0])) add_padding(cells.lanes());
    put(cells, elements);
  }

  /// The inputs' cells as the region takes them.
  std::vector<Register> gather(const LaneElements& terms) {
    std::vector<Register> gathered;
    for (size_t k = 0; k < gathers_.size(); ++k) {
      Register lanes(machine_.scratch, types_[k]);
      clear(lanes);
      gathers_[k].gather(terms, lanes);
      gathered.push_back(as_taken(k, std::move(lanes)));
    }
    return gathered;
  }

  void add_padding(int64_t lanes) {
    std::vector<Register> terms;
    for (size_t k = 0; k < inputs_.size(); ++k) {
      terms.push_back(as_taken(k, padding_terms(machine_, *inputs_[k], lanes)));
    }
    lanes_->take(std::move(terms));
    lanes_->add(0);
  }

  /// Elements of an input in the type that the region takes.
  Register as_taken(size_t k, Register lanes) const {
    const ElementType type = region_.inputs()[gathers_.size() + k];
    return type == types_[k] ? std::move(lanes)
                             : converted_lanes(machine_, lanes, type);
  }

  static void clear(Register& lanes) {
    std::memset(lanes.bytes(), 0, static_cast<size_t>(lanes.width() * kLanes));
  }

  /// Takes what came out to the elements that the cells belong to.
  void put(const FoldCells& cells, const LaneElements& elements) {
    LaneElements targets;
    targets.fill(TileOrder::kPadding);
    for (int64_t i = 0; i < cells.lanes(); ++i) {
      targets[static_cast<size_t>(i)] =
          elements[static_cast<size_t>(cells.lane(i))];
    }
    std::vector<Register> folded = lanes_->results();
    for (size_t k = 0; k < folded.size(); ++k) {
      Register lanes =
          converted_lanes(machine_, folded[k], results_[k].shape.element_type);
      lanes.valid().set();
      scatters_[k].scatter(lanes, targets);
    }
  }

  Machine& machine_;
  Fold fold_;
  Region region_;
  std::vector<TiledArray>& results_;
  std::vector<const TiledArray*> inputs_;
  std::vector<LaneGather> gathers_;
  std::vector<ElementType> types_;
  std::vector<Register> initial_;
  std::vector<LaneScatter> scatters_;
  std::unique_ptr<FoldLanes> lanes_;
};

}  // namespace

std::vector<TiledArray> fold(Machine& machine, const Instruction& instruction,
                             const Values& operands,
                             const std::vector<Shape>& shapes) {
  std::vector<TiledArray> results;
  for (const Shape& shape : shapes) {
    results.push_back(new_array(machine.memory, shape));
  }
  if (results[0].order->elements() == 0) return results;
  FoldRun(machine, instruction, operands, results).run();
  return results;
}

}  // namespace hlo::tpu
