#include "backends/tpu/run/scan_slices.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "backends/tpu/machine/lane_gather.h"
#include "backends/tpu/machine/lane_scatter.h"
#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/operations/lane_source.h"
#include "backends/tpu/operations/sizes/rearranged.h"
#include "backends/tpu/program/assign_layout.h"
#include "interpreter/error.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/dimensions/scan_parts.h"
#include "interpreter/rules/float_types.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kKeptRegisters = 64;

size_t carries_of(const Instruction& scan) {
  return static_cast<size_t>(scan.get_or<int64_t>("num_carries", 0));
}

size_t dimension_of(const Instruction& scan) {
  return static_cast<size_t>(scan.get<Ints>("dimensions").at(0));
}

/// The positions in an array of the elements of its slice at one place.
class SlicePlaces {
 public:
  SlicePlaces(const Shape& array, size_t dimension, int64_t place)
      : size_(array.dims[dimension]), place_(place) {
    for (size_t d = dimension + 1; d < array.dims.size(); ++d) {
      inner_ *= array.dims[d];
    }
  }

  LaneElements of(LaneElements slice) const {
    for (int64_t& element : slice) {
      if (element == TileOrder::kPadding) continue;
      const int64_t outer = element / inner_;
      element = (outer * size_ + place_) * inner_ + element % inner_;
    }
    return slice;
  }

 private:
  int64_t size_;
  int64_t place_;
  int64_t inner_ = 1;
};

class ScanRun {
 public:
  ScanRun(Machine& machine, const Instruction& scan, const Values& operands)
      : machine_(machine),
        scan_(scan),
        operands_(operands),
        body_(callee_of(scan)),
        dimension_(dimension_of(scan)),
        inputs_(operands.size() - carries_of(scan)) {
    const std::vector<Shape> shapes = scan_shapes(scan.shape);
    outputs_ = shapes.size() - carries_of(scan);
    for (size_t k = 0; k < outputs_; ++k) {
      const TiledArray array =
          new_array(machine.memory, placed(*machine.generation, shapes[k]));
      results_.push_back({.shape = array.shape, .array = array});
    }
    for (size_t k = inputs_; k < operands.size(); ++k) {
      results_.push_back(*operands[k]);
    }
    for (size_t k = 0; k < inputs_; ++k) {
      gathers_.emplace_back(machine, operands[k]->array, kKeptRegisters);
    }
    for (size_t k = 0; k < outputs_; ++k) {
      scatters_.emplace_back(machine, results_[k].array, kKeptRegisters);
    }
  }

  Value run(const CallComputation& call) {
    const int64_t steps = steps_of_inputs();
    const bool is_reverse =
        scan_.get_or("is_reverse", false) && !machine_.has(Fault::kScanForward);
    for (int64_t step = 0; step < steps; ++step) {
      const int64_t place = is_reverse ? steps - 1 - step : step;
      const std::vector<Value> slices = slices_at(place);
      Values arguments;
      for (const Value& slice : slices) arguments.push_back(&slice);
      std::vector<Value> carried(results_.begin() + outputs(), results_.end());
      for (const Value& value : carried) arguments.push_back(&value);
      take(call(body_, arguments), place);
    }
    for (size_t k = 0; k < outputs_; ++k) {
      clear_from(steps, k);
      scatters_[k].finish();
      set_sizes(results_[k].array, sizes_of_output(k, steps));
    }
    if (!scan_.shape.is_tuple()) return results_.at(0);
    return {.shape = scan_.shape, .elements = std::move(results_)};
  }

 private:
  std::ptrdiff_t outputs() const {
    return static_cast<std::ptrdiff_t>(outputs_);
  }

  int64_t steps_of_inputs() const {
    int64_t steps = operands_[0]->shape.dims[dimension_];
    for (size_t k = 0; k < inputs_; ++k) {
      steps = std::min(steps, sizes_of(operands_[k]->array)[dimension_]);
    }
    return steps;
  }

  /// Slices that no step gives are zeros.
  void clear_from(int64_t first, size_t k) {
    const Shape slice = scan_shapes(body_.root->shape).at(k);
    const auto order = order_of(placed(*machine_.generation, slice));
    const int64_t registers = (order->lanes() + kLanes - 1) / kLanes;
    Register lanes(machine_.scratch, slice.element_type);
    std::memset(lanes.bytes(), 0, static_cast<size_t>(lanes.width() * kLanes));
    lanes.valid().set();
    for (int64_t at = first; at < results_[k].shape.dims[dimension_]; ++at) {
      const SlicePlaces places(results_[k].shape, dimension_, at);
      for (int64_t r = 0; r < registers; ++r) {
        scatters_[k].scatter(lanes, places.of(elements_of(*order, r)));
      }
    }
  }

  std::vector<int64_t> sizes_of_output(size_t k, int64_t steps) const {
    std::vector<int64_t> sizes = results_[k].shape.dims;
    const auto d = static_cast<std::ptrdiff_t>(dimension_);
    if (k < slice_sizes_.size()) {
      sizes = slice_sizes_[k];
      sizes.insert(sizes.begin() + d, steps);
    }
    sizes[dimension_] = steps;
    return sizes;
  }

  /// Remembers the sizes of the slices of an output, which are the same in all
  /// steps.
  void remember_sizes(size_t k, const TiledArray& slice) {
    if (k == slice_sizes_.size()) slice_sizes_.push_back(sizes_of(slice));
    require_evaluable(
        slice_sizes_[k] == sizes_of(slice), "evaluate.sizes",
        {"scan: the slices of an output have several sizes at run time"},
        "they must have one");
  }

  std::vector<Value> slices_at(int64_t place) {
    std::vector<Value> slices;
    for (size_t k = 0; k < inputs_; ++k) {
      const SlicePlaces places(operands_[k]->shape, dimension_, place);
      TiledArray slice =
          new_array(machine_.memory,
                    placed(*machine_.generation, body_.parameters[k]->shape));
      for (int64_t r = 0; r < slice.registers(); ++r) {
        Register lanes(machine_.scratch, slice.shape.element_type);
        gathers_[k].gather(places.of(elements_of(*slice.order, r)), lanes);
        store_register(machine_, lanes, slice, r);
      }
      std::vector<int64_t> sizes = sizes_of(operands_[k]->array);
      sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(dimension_));
      set_sizes(slice, std::move(sizes));
      slices.push_back({.shape = slice.shape, .array = slice});
    }
    return slices;
  }

  void take(const Value& returned, int64_t place) {
    const std::vector<Value> given = returned.shape.is_tuple()
                                         ? returned.elements
                                         : std::vector<Value>{returned};
    for (size_t k = 0; k < given.size(); ++k) {
      if (k >= outputs_) {
        if (!machine_.has(Fault::kCarryLost)) results_[k] = given[k];
        continue;
      }
      const SlicePlaces places(results_[k].shape, dimension_, place);
      const TiledArray& slice = given[k].array;
      remember_sizes(k, slice);
      for (int64_t r = 0; r < slice.registers(); ++r) {
        scatters_[k].scatter(load_register(machine_, slice, r),
                             places.of(elements_of(*slice.order, r)));
      }
    }
  }

  Machine& machine_;
  const Instruction& scan_;
  const Values& operands_;
  const Computation& body_;
  size_t dimension_;
  size_t inputs_;
  size_t outputs_ = 0;
  std::vector<Value> results_;                     // outputs, then carries
  std::vector<std::vector<int64_t>> slice_sizes_;  // of outputs
  std::vector<LaneGather> gathers_;
  std::vector<LaneScatter> scatters_;
};

}  // namespace

bool has_plain_slices(const Instruction& scan, const Values& operands) {
  const Computation& body = callee_of(scan);
  const size_t inputs = operands.size() - carries_of(scan);
  if (inputs == 0) return false;
  for (size_t k = 0; k < operands.size(); ++k) {
    if (!same_types(operands[k]->shape, body.parameters[k]->shape)) {
      return false;
    }
  }
  const std::vector<Shape> results = scan_shapes(scan.shape);
  const std::vector<Shape> given = scan_shapes(body.root->shape);
  const size_t outputs = results.size() - carries_of(scan);
  for (size_t k = 0; k < results.size(); ++k) {
    if (!same_types(results[k], given.at(k))) return false;
    if (k >= outputs &&
        !same_types(results[k], operands[inputs + k - outputs]->shape)) {
      return false;
    }
  }
  return true;
}

Value scan(Machine& machine, const Instruction& instruction,
           const Values& operands, const CallComputation& call) {
  return ScanRun(machine, instruction, operands).run(call);
}

}  // namespace hlo::tpu
