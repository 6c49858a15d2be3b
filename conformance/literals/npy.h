#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// The array in the bytes of a NumPy file (.npy, versions 1 to 3), as a value
/// of `shape`: its dimensions are those of the shape, or at most the bounds of
/// dynamic ones. Throws Error "npy.header", "npy.size", "npy.type" or
/// "npy.dims"; allocates no more than the file's size and the shape's.
Literal read_npy(std::string_view file, const Shape& shape);

/// The dimensions of the array in the bytes of a NumPy file. Error
/// "npy.header".
std::vector<int64_t> npy_dims(std::string_view file);

/// The bytes of a NumPy file (version 1, C order) with the elements of an
/// array; of one with dynamic dimensions those that exist. Types that NumPy
/// lacks are raw bytes of their width: <V1, <V2.
std::string write_npy(const Literal& literal);

}  // namespace hlo::conformance
