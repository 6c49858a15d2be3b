#include "backends/tpu/run/host_ends.h"

#include <utility>

#include "backends/tpu/devices/brought.h"
#include "backends/tpu/operations/one_by_one.h"
#include "interpreter/error.h"

namespace hlo::tpu {
namespace {

/// Where elements lie is the machine's business.
Shape without_layouts(Shape shape) {
  shape.layout.reset();
  for (Shape& element : shape.tuple_shapes) {
    element = without_layouts(std::move(element));
  }
  return shape;
}

}  // namespace

Value take_infeed(Machine& machine, HostEnds& host, const Shape& shape) {
  if (host.infeed.empty() && host.more) {
    return write_value(machine, host.more(shape), shape);
  }
  require_evaluable(!host.infeed.empty(), "infeed.empty",
                    {"the queue of the infeed is empty"},
                    "it must hold a value for each infeed");
  Value& next = host.infeed.front();
  require_evaluable(compatible(next.shape, shape, /*ignore_dynamic=*/true),
                    "infeed.shape",
                    {"the next value of the infeed is ", next.shape, " and ",
                     shape, " is asked for"},
                    "they must be equal");
  Value taken = brought(machine, std::move(next));
  host.infeed.pop_front();
  return taken;
}

void put_outfeed(Machine& machine, const HostEnds& host, const Device& device,
                 const Value& value) {
  if (!host.outfeed) return;
  const Literal read = read_value(machine, value);
  host.outfeed(device, read.with_shape(without_layouts(read.shape())));
}

}  // namespace hlo::tpu
