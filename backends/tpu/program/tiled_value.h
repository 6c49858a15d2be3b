#pragma once

#include <stdexcept>
#include <vector>

#include "backends/tpu/memory/tiled_array.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo::tpu {

/// What this backend does not run.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A value of a program: an array, a tuple of values, or a token.
struct Value {
  Shape shape;
  TiledArray array = {};
  std::vector<Value> elements = {};
};

using Values = std::vector<const Value*>;

Value tuple_of(std::vector<Value> values);
/// One value is itself, several become a tuple.
Value one_or_tuple(std::vector<Value> values);
Value value_of(TiledArray array);

}  // namespace hlo::tpu
