#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "interpreter/devices/devices.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/testing/operation_rows.h"

// What the rows of operations.txt are given.
namespace hlo::rows {

/// A stream of bits that is the same everywhere.
inline uint64_t next_bits(uint64_t& state) {
  state = state * 6364136223846793005 + 1442695040888963407;
  return state >> 32;
}

/// A float of the row's range, in the type's code.
inline uint64_t float_code(ElementType type, const OperationRow& row,
                           uint64_t& state) {
  const double unit = static_cast<double>(next_bits(state)) * 0x1p-32;
  return numeric::encode(row.low + (row.high - row.low) * unit,
                         numeric::format(type));
}

/// One element: floats of the range, other types less than `bound` and
/// positive.
inline Scalar element(ElementType type, const OperationRow& row, int64_t bound,
                      uint64_t& state) {
  if (is_float(type)) return {type, {float_code(type, row, state)}};
  if (is_complex(type)) {
    const ElementType part = component_type(type);
    const uint64_t real = float_code(part, row, state);
    return {type, {real, float_code(part, row, state)}};
  }
  if (type == ElementType::kPred) return {type, {next_bits(state) >> 31}};
  return {type, {next_bits(state) % static_cast<uint64_t>(bound)}};
}

/// An array whose integers are less than its first dimension, so that they can
/// be indices; u32 has all its codes.
inline Literal random_array(const Shape& shape, const OperationRow& row,
                            uint64_t& state) {
  Literal result(shape);
  const bool is_word = shape.element_type == ElementType::kU32;
  const int64_t bound =
      is_word ? int64_t{1} << 32
              : std::max<int64_t>(shape.dims.empty() ? 1 : shape.dims[0], 1);
  for (int64_t i = 0; i < result.element_count(); ++i) {
    result.set(i, element(shape.element_type, row, bound, state));
  }
  return result;
}

/// What each device runs, and the queue that they read from.
struct DeviceInputs {
  std::vector<DeviceProgram> programs;
  std::deque<Literal> infeed;
};

inline DeviceInputs inputs_of(const Module& module, const OperationRow& row) {
  DeviceInputs inputs;
  uint64_t state = 1;
  for (int64_t device = 0; device < row.devices; ++device) {
    DeviceProgram program{module.entry, {}};
    for (const Instruction* parameter : module.entry->parameters) {
      program.arguments.push_back(random_array(parameter->shape, row, state));
    }
    for (const auto& instruction : module.entry->instructions) {
      if (instruction->op->name != "infeed") continue;
      inputs.infeed.push_back(
          random_array(instruction->shape.tuple_shapes[0], row, state));
    }
    inputs.programs.push_back(std::move(program));
  }
  return inputs;
}

}  // namespace hlo::rows
