#pragma once

#include <string_view>

namespace hlo {

/// The words of operand_precision and of algorithm (spec/ops/dot.md).
inline constexpr std::string_view kPrecisionWords =
    "default high highest packed_nibble DEFAULT HIGH HIGHEST PACKED_NIBBLE";
inline constexpr std::string_view kAlgorithmWords =
    "dot_any_f8_any_f8_f32 dot_any_f8_any_f8_f32_fast_accum "
    "dot_any_f8_any_f8_any dot_any_f8_any_f8_any_fast_accum "
    "dot_f16_f16_f16 dot_f16_f16_f32 dot_bf16_bf16_bf16 dot_bf16_bf16_f32 "
    "dot_bf16_bf16_f32_x3 dot_bf16_bf16_f32_x6 dot_bf16_bf16_f32_x9 "
    "dot_tf32_tf32_f32 dot_tf32_tf32_f32_x3 dot_f32_f32_f32 "
    "dot_f64_f64_f64 dot_unset";

}  // namespace hlo
