#pragma once

#include <cstdint>

#include "interpreter/numeric/f32/fast_path.h"

namespace hlo::conformance {

/// What is known of an element that is not measured.
inline constexpr int32_t kNotANumber = -1;  // right: NaN, or an infinity
inline constexpr int32_t kOpen = -2;        // to be decided one by one

/// For n arguments and results of f32, by the function's kernel: the code that
/// the exact value r rounds to, and floor(1024 |y - r| / ulp(r)), as
/// error_units() has it, or one of the above. The kernel's value is within its
/// proved error of r: where both ends of that interval lead to one number, r
/// does too; where they do not, or not to one code, the element is kOpen.
void f32_errors(const numeric::FastPath& path, const uint32_t* x,
                const uint32_t* actual, uint32_t* reference, int32_t* units,
                int64_t n);

}  // namespace hlo::conformance
