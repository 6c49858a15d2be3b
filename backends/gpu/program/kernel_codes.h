#pragma once

#include <cstdint>

#include "backends/gpu/kernels/codes.inc"
#include "interpreter/model/element_type.h"

// The numbers that kernels know things by.

namespace hlo::gpu {

inline constexpr int64_t kMaxRank = MAX_RANK;
inline constexpr int64_t kRegisters = REGISTERS;

static_assert(static_cast<int>(ElementType::kPred) == T_PRED);
static_assert(static_cast<int>(ElementType::kS64) == T_S64);
static_assert(static_cast<int>(ElementType::kU64) == T_U64);
static_assert(static_cast<int>(ElementType::kF16) == T_F16);
static_assert(static_cast<int>(ElementType::kF8E5M2FNUZ) == T_F8E5M2FNUZ);
static_assert(static_cast<int>(ElementType::kF6E3M2FN) == T_F6E3M2FN);
static_assert(static_cast<int>(ElementType::kC128) == T_C128);

static_assert(SUM_WORDS == DIGITS + 3);
static_assert(STATE_WORDS == 2 * SUM_WORDS);

inline int64_t type_code(ElementType type) {
  return static_cast<int64_t>(type);
}

}  // namespace hlo::gpu
