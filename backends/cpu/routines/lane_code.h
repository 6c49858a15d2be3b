#pragma once

#include <optional>
#include <span>

#include "backends/cpu/kernels/tiles/tile_program.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// An element-wise operation as one on lanes of 32 bits.
struct LaneCode {
  Code code;
  bool exchanged = false;  // the two operands
};

/// The type of the lanes that hold the numbers of a type: f32 for bf16 and f16.
ElementType lane_type(ElementType type);

/// How the kernels find numbers of a type in memory.
Stored stored_of(ElementType type);

/// The code of an instruction on operands of those types: f32, bf16, f16, s32
/// or pred; nullopt where there is none. What it computes for bf16 and f16 are
/// numbers of f32 that have yet to be rounded.
std::optional<LaneCode> lane_code(const Instruction& instruction,
                                  std::span<const ElementType> types);

}  // namespace hlo::cpu
