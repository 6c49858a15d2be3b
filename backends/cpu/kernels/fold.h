#pragma once

#include <cstdint>
#include <functional>

namespace hlo::cpu {

/// How two f32 numbers become one. Of maximum and minimum NaN wins, and -0 lies
/// below +0.
enum class Fold : uint8_t { kAdd, kMaximum, kMinimum };

/// The numbers of a line as one with init: 64 lanes, each in order, then the
/// lanes by halves, then init.
float fold_line(Fold fold, const float* line, int64_t count, float init);

/// The sum, in the same order, of x[i] y[i], each rounded to f32.
float sum_products(const float* x, const float* y, int64_t count, float init);

/// to[c] = init with lines[0][c], lines[1][c], ... in order, n columns.
void fold_lines(Fold fold, const float* const* lines, int64_t count, float init,
                float* to, int64_t n);

}  // namespace hlo::cpu
