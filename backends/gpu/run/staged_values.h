#pragma once

#include <vector>

#include "backends/cpu/arrays/function.h"
#include "backends/gpu/program/value.h"

namespace hlo::gpu {

/// The shape without the marks of dimensions whose sizes are known at run time.
Shape without_sizes(Shape shape);

/// Values of the host on the device, with all elements of their bounds.
class Uploads {
 public:
  Uploads(Memory& memory, cpu::Operands arrays);

  Values places() const;

 private:
  std::vector<Value> values_;
};

Value uploaded(Memory& memory, const cpu::Array& array);
/// The value on the host, with the marks of `shape`.
cpu::Array downloaded(Memory& memory, const Value& value, const Shape& shape);

}  // namespace hlo::gpu
