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

}  // namespace

Scan::Scan(Machine& machine, const Instruction& scan, Values operands)
    : machine_(machine),
      scan_(scan),
      operands_(std::move(operands)),
      body_(callee_of(scan)),
      dimension_(dimension_of(scan)),
      inputs_(operands_.size() - carries_of(scan)),
      steps_(steps_of_inputs()) {
  const std::vector<Shape> shapes = scan_shapes(scan.shape);
  outputs_ = shapes.size() - carries_of(scan);
  for (size_t k = 0; k < outputs_; ++k) {
    const TiledArray array =
        new_array(machine.memory, placed(*machine.generation, shapes[k]));
    results_.push_back({.shape = array.shape, .array = array});
  }
  for (size_t k = inputs_; k < operands_.size(); ++k) {
    results_.push_back(*operands_[k]);
  }
  for (size_t k = 0; k < outputs_; ++k) {
    scatters_.emplace_back(machine, results_[k].array, kKeptRegisters);
  }
}

std::optional<std::vector<Value>> Scan::next() {
  const int64_t left_out = machine_.has(Fault::kLastStepLeftOut) ? 1 : 0;
  if (step_ >= steps_ - left_out) return std::nullopt;
  std::vector<Value> arguments = slices_at(place());
  arguments.insert(arguments.end(),
                   results_.begin() + static_cast<std::ptrdiff_t>(outputs_),
                   results_.end());
  return arguments;
}

void Scan::take(const Value& returned) {
  const std::vector<Value> given = returned.shape.is_tuple()
                                       ? returned.elements
                                       : std::vector<Value>{returned};
  for (size_t k = 0; k < given.size(); ++k) {
    if (k >= outputs_) {
      if (!machine_.has(Fault::kCarryLost)) results_[k] = given[k];
      continue;
    }
    const SlicePlaces places(results_[k].shape, dimension_, place());
    const TiledArray& slice = given[k].array;
    remember_sizes(k, slice);
    for (int64_t r = 0; r < slice.registers(); ++r) {
      scatters_[k].scatter(load_register(machine_, slice, r),
                           places.of(elements_of(*slice.order, r)));
    }
    scatters_[k].leave();
  }
  ++step_;
}

Value Scan::result() {
  for (size_t k = 0; k < outputs_; ++k) {
    clear_from(steps_, k);
    scatters_[k].finish();
    set_sizes(results_[k].array, sizes_of_output(k));
  }
  if (!scan_.shape.is_tuple()) return results_.at(0);
  return {.shape = scan_.shape, .elements = std::move(results_)};
}

int64_t Scan::steps_of_inputs() const {
  int64_t steps = operands_[0]->shape.dims[dimension_];
  for (size_t k = 0; k < inputs_; ++k) {
    steps = std::min(steps, sizes_of(operands_[k]->array)[dimension_]);
  }
  return steps;
}

int64_t Scan::place() const {
  const bool is_reverse =
      scan_.get_or("is_reverse", false) && !machine_.has(Fault::kScanForward);
  return is_reverse ? steps_ - 1 - step_ : step_;
}

/// Slices that no step gives are zeros.
void Scan::clear_from(int64_t first, size_t k) {
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

std::vector<int64_t> Scan::sizes_of_output(size_t k) const {
  std::vector<int64_t> sizes = results_[k].shape.dims;
  const auto d = static_cast<std::ptrdiff_t>(dimension_);
  if (k < slice_sizes_.size()) {
    sizes = slice_sizes_[k];
    sizes.insert(sizes.begin() + d, steps_);
  }
  sizes[dimension_] = steps_;
  return sizes;
}

/// Remembers the sizes of the slices of an output, which are the same in all
/// steps.
void Scan::remember_sizes(size_t k, const TiledArray& slice) {
  if (k == slice_sizes_.size()) slice_sizes_.push_back(sizes_of(slice));
  require_evaluable(
      slice_sizes_[k] == sizes_of(slice), "evaluate.sizes",
      {"scan: the slices of an output have several sizes at run time"},
      "they must have one");
}

std::vector<Value> Scan::slices_at(int64_t place) {
  std::vector<Value> slices;
  for (size_t k = 0; k < inputs_; ++k) {
    const TiledArray& input = operands_[k]->array;
    const SlicePlaces places(operands_[k]->shape, dimension_, place);
    TiledArray slice =
        new_array(machine_.memory,
                  placed(*machine_.generation, body_.parameters[k]->shape));
    LaneGather gather(machine_, input, kKeptRegisters);
    for (int64_t r = 0; r < slice.registers(); ++r) {
      Register lanes(machine_.scratch, slice.shape.element_type);
      gather.gather(places.of(elements_of(*slice.order, r)), lanes);
      store_register(machine_, lanes, slice, r);
    }
    std::vector<int64_t> sizes = sizes_of(input);
    sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(dimension_));
    set_sizes(slice, std::move(sizes));
    slices.push_back({.shape = slice.shape, .array = slice});
  }
  return slices;
}

}  // namespace hlo::tpu
