#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "conformance/shrink/edit.h"
#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// The program that does the same for `rows` values of those parameters, and of
/// one value of the others: arrays that depend on them have one more dimension,
/// in front of the others and furthest apart in memory. Nothing where an
/// instruction has no such form, or runs computations. The inputs are those of
/// the program, repeated. `parameters` has their numbers.
std::optional<Program> batched(const Program& program, int64_t rows,
                               const std::set<int64_t>& parameters);

/// The array `rows` times, in one more dimension in front.
Literal repeated(const Literal& array, int64_t rows);
/// Row `row` of such an array, without that dimension.
Literal row_of(const Literal& array, int64_t row);
/// Puts the array into a row of such an array.
void put_row(Literal& array, int64_t row, const Literal& value);

}  // namespace hlo::conformance
