#pragma once

#include <vector>

#include "backends/cpu/arrays/array.h"

namespace hlo::cpu {

/// The elements of floats as doubles, those of complex numbers as complex ones.
std::vector<double> wide_reals(const Array& array);
std::vector<std::complex<double>> wide_complexes(const Array& array);
/// The array of those numbers, each rounded once to the type of the shape;
/// `shape` is of floats, or of complex numbers.
Array rounded(const Shape& shape, const std::vector<double>& values);
Array rounded(const Shape& shape,
              const std::vector<std::complex<double>>& values);

}  // namespace hlo::cpu
