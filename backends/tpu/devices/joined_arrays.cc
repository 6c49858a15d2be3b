#include "backends/tpu/devices/joined_arrays.h"

#include <memory>
#include <utility>

#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/operations/fold_lanes.h"
#include "backends/tpu/operations/lane_source.h"
#include "backends/tpu/program/assign_layout.h"
#include "interpreter/rules/known_reducer.h"
#include "interpreter/rules/reducer.h"

namespace hlo::tpu {
namespace {

std::unique_ptr<FoldLanes> lanes_for(Machine& machine,
                                     const Computation& combiner,
                                     const Region& region) {
  const ElementType type = combiner.root->shape.element_type;
  const bool is_sum = recognize(combiner) == Reducer::kAdd &&
                      (is_float(type) || is_complex(type));
  if (is_sum) return std::make_unique<SumLanes>(machine, type);
  return std::make_unique<RegionLanes>(machine, region);
}

std::vector<Register> one(Register lanes) {
  std::vector<Register> registers;
  registers.push_back(std::move(lanes));
  return registers;
}

Shape joined_shape(const Machine& machine, const Computation& combiner,
                   const Shape& array) {
  const ElementType computed = combiner.root->shape.element_type;
  const bool rounds_later = same_up_to_precision(array.element_type, computed);
  return placed(
      *machine.generation,
      Shape::array(rounds_later ? computed : array.element_type, array.dims));
}

}  // namespace

TiledArray joined_arrays(Machine& machine, const Computation& combiner,
                         const std::vector<const TiledArray*>& arrays) {
  TiledArray result = new_array(
      machine.memory, joined_shape(machine, combiner, arrays[0]->shape));
  const Region region(combiner, machine.evaluator);
  const auto lanes = lanes_for(machine, combiner, region);
  const size_t left_out = machine.has(Fault::kLastMemberLeftOut) ? 1 : 0;
  for (int64_t r = 0; r < result.registers(); ++r) {
    const auto lanes_of = [&](size_t i, ElementType type) {
      const LaneSource source(machine, *arrays[i], result);
      return one(converted_lanes(machine, source.at(r), type));
    };
    lanes->begin(lanes_of(0, region.inputs()[0]));
    for (size_t i = 1; i < arrays.size() - left_out; ++i) {
      lanes->take(lanes_of(i, region.inputs()[1]));
      lanes->add(0);
    }
    Register joined = converted_lanes(machine, lanes->results()[0],
                                      result.shape.element_type);
    joined.valid() = result.order->mask(r);
    store_register(machine, joined, result, r);
  }
  return result;
}

}  // namespace hlo::tpu
