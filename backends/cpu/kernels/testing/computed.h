#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "backends/cpu/kernels/tiles/tile_program.h"

namespace hlo::cpu {

/// How arrays of a host's type are stored; uint8_t is pred.
template <class T>
constexpr Stored kStoredAs = sizeof(T) == 8   ? Stored::kWide
                             : sizeof(T) == 1 ? Stored::kPred
                                              : Stored::kWord;

/// The result of one operation on arrays of as many numbers.
template <class To, class... From>
std::vector<To> computed(Code code, const std::vector<From>&... operands) {
  TileProgram program;
  if (is_wide(code)) program.lane_bytes = 8;
  program.result = kStoredAs<To>;
  LaneOp op{.code = code};
  std::vector<const std::byte*> inputs;
  const auto add = [&]<class T>(const std::vector<T>& operand) {
    program.count = std::ssize(operand);
    op.operands[inputs.size()] = static_cast<uint16_t>(inputs.size());
    program.inputs.push_back({View::dense({program.count}), kStoredAs<T>});
    inputs.push_back(reinterpret_cast<const std::byte*>(operand.data()));
  };
  (add(operands), ...);
  op.out = static_cast<uint16_t>(inputs.size());
  program.registers = inputs.size() + 1;
  program.ops = {op};
  std::vector<To> result(static_cast<size_t>(program.count));
  run_tiles(program, inputs, reinterpret_cast<std::byte*>(result.data()));
  return result;
}

}  // namespace hlo::cpu
