#pragma once

#include <cstddef>
#include <cstdint>

#include "interpreter/model/element_type.h"

namespace hlo::cpu {

/// Sizes of a product of matrices, and how many there are one after the other.
struct ProductSizes {
  int64_t batches = 1;
  int64_t rows = 0;
  int64_t depth = 0;
  int64_t columns = 0;
};

/// Whether multiply_numbers takes the type: f64, integers of 32 and 64 bits,
/// and complex numbers.
bool multiplies(ElementType type);

/// result[b][m][n] = the sum over k of left[b][m][k] * right[b][k][n], of dense
/// arrays, in the order of k from 0 on: of f64 fma(left, right, sum), of parts
/// of complex numbers sums of two real products each, all rounded; integers
/// wrap.
void multiply_numbers(ElementType type, const ProductSizes& sizes,
                      const std::byte* left, const std::byte* right,
                      std::byte* result);

}  // namespace hlo::cpu
