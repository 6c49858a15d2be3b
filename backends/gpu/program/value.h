#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "backends/gpu/program/device_memory.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo::gpu {

/// What this backend does not run.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws Unsupported with the operation, its element type and a reason.
[[noreturn]] void refuse(const Instruction& instruction,
                         const std::string& reason);

/// A value of a program: an array on the device, dense and row-major as a
/// literal is, or a tuple of values, or a token.
struct Value {
  Shape shape;
  Place place;  // of an array
  std::vector<Value> elements;

  int64_t offset() const { return static_cast<int64_t>(place->offset()); }
};

using Values = std::vector<const Value*>;

/// How many elements an array of those sizes has.
int64_t elements_in(const Ints& sizes);
/// An array of that shape; what it holds is not defined.
Value new_array(Memory& memory, const Shape& shape);
Value upload(Memory& memory, const Literal& literal);
Literal download(Memory& memory, const Value& value);
/// An array or tuple with its elements under another shape.
Value with_shape(const Value& value, const Shape& shape);
/// The number in an array of integers or of pred at a row-major position.
int64_t integer_at(Memory& memory, const Value& array, int64_t place);

}  // namespace hlo::gpu
