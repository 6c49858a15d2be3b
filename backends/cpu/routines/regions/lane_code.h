#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "backends/cpu/kernels/lanes/lane_op.h"
#include "backends/cpu/kernels/stored.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// An element-wise operation as one on lanes.
struct LaneCode {
  Code code;
  bool exchanged = false;           // the two operands
  std::optional<Code> before = {};  // of a conversion: what first makes f64
};

/// The type of the lanes that hold the numbers of a type: f32 for bf16 and f16,
/// s32 for shorter integers of whole bytes.
ElementType lane_type(ElementType type);

/// How the kernels find numbers of a type in memory.
Stored stored_of(ElementType type);

/// The code of an instruction on operands of those types; nullopt where there
/// is none. What it computes for types that are shorter than their lanes has
/// yet to be made one of their numbers (fuse.h).
std::optional<LaneCode> lane_code(const Instruction& instruction,
                                  std::span<const ElementType> types);

/// That of an instruction of the name whose operands and result have the type.
std::optional<Code> named_lane_code(std::string_view name, ElementType type);

}  // namespace hlo::cpu
