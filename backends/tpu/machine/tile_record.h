#pragma once

#include <cstdint>
#include <deque>

#include "backends/tpu/memory/tiled_array.h"

namespace hlo::tpu {

/// How much of each a machine had done.
struct TileWork {
  int64_t operations = 0;  // on registers
  int64_t moves = 0;       // of lanes
  int64_t passes = 0;
};

/// Something that goes between an array and registers, or the other way.
struct TileStep {
  static constexpr int64_t kOneByOne = -1;

  bool is_store = false;
  const Hbm* memory = nullptr;
  int64_t address = 0;  // of the array
  int64_t number = 0;   // of its register, or kOneByOne: all, each alone
  TileWork before = {};
};

/// The last steps of a machine, in their order.
struct TileRecord {
  TileWork begin = {};
  std::deque<TileStep> steps = {};
};

}  // namespace hlo::tpu
