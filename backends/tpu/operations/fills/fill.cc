#include "backends/tpu/operations/fills/fill.h"

#include <cstring>

#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/program/assign_layout.h"
#include "interpreter/model/storage.h"
#include "interpreter/plans/elementwise/converted.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kKeptRegisters = 32;

}  // namespace

TiledArray filled(Machine& machine, const Shape& shape, const FillLanes& fill) {
  TiledArray result =
      new_array(machine.memory, placed(*machine.generation, shape));
  for (int64_t r = 0; r < result.registers(); ++r) {
    Register lanes(machine.scratch, shape.element_type);
    lanes.valid() = result.order->mask(r);
    if (lanes.valid().none()) continue;
    fill(elements_of(*result.order, r), lanes);
    machine.counters.vector_operations += 1;
    store_register(machine, lanes, result, r);
  }
  return result;
}

Value zeros(Machine& machine, const Shape& shape) {
  Value value{.shape = shape};
  for (const Shape& element : shape.tuple_shapes) {
    value.elements.push_back(zeros(machine, element));
  }
  if (!shape.is_array()) return value;
  value.array = filled(machine, shape, [](const LaneElements&, Register& into) {
    std::memset(into.bytes(), 0, static_cast<size_t>(into.width() * kLanes));
  });
  return value;
}

Value word(Machine& machine, ElementType type, uint64_t value) {
  const Shape shape = Shape::scalar(type);
  return {
      .shape = shape,
      .array = filled(machine, shape, [&](const LaneElements&, Register& into) {
        store(type, {value, 0}, into.lane(0));
      })};
}

Value retyped(Machine& machine, const Value& value, const Shape& shape) {
  Value result = value;
  for (size_t k = 0; k < value.elements.size(); ++k) {
    result.elements[k] =
        retyped(machine, value.elements[k], shape.tuple_shapes[k]);
  }
  const ElementType from = value.shape.element_type;
  if (!shape.is_array() || shape.element_type == from) return result;
  result.shape = shape;
  LaneGather gather(machine, value.array, kKeptRegisters);
  result.array = filled(machine, result.shape,
                        [&](const LaneElements& elements, Register& into) {
                          Register lanes(machine.scratch, from);
                          gather.gather(elements, lanes);
                          convert_elements(from, lanes.bytes(), kLanes,
                                           shape.element_type, into.bytes());
                        });
  result.array.sizes = value.array.sizes;
  return result;
}

TiledArray patched(Machine& machine, const TiledArray& array,
                   const TiledArray& patch,
                   const std::function<int64_t(int64_t)>& source_of) {
  LaneGather kept(machine, array, kKeptRegisters);
  LaneGather written(machine, patch, kKeptRegisters);
  return filled(machine, array.shape,
                [&](const LaneElements& elements, Register& into) {
                  kept.gather(elements, into);
                  LaneElements sources = elements;
                  for (int64_t& element : sources) {
                    if (element != TileOrder::kPadding) {
                      element = source_of(element);
                    }
                  }
                  written.gather(sources, into);
                });
}

}  // namespace hlo::tpu
