#pragma once

#include <cstddef>
#include <cstdint>

namespace hlo::cpu {

/// Rows and columns of the tile of a product that stays in registers.
inline constexpr int64_t kQuadRows = 14;
inline constexpr int64_t kQuadColumns = 32;

/// A panel of rows (left[i * left_step + q]) times one of kQuadColumns columns
/// (right[q * kQuadColumns + j]), where each word is four bytes along the
/// depth, the first one lowest: of the left numbers from 0 to 255, of the right
/// from -128 to 127. The first `rows` times `columns` sums, modulo 2^32, are
/// added to the result.
struct QuadProduct {
  const uint32_t* left;
  int64_t left_step;
  const uint32_t* right;
  int64_t quads;
  int32_t* result;
  int64_t result_step;
  int64_t rows;
  int64_t columns;
};

/// By the machine's products of quads where it has them (AVX512-VNNI), else by
/// its vectors, to the same bits.
void multiply_quad_panels(const QuadProduct& product);

/// Whether the machine has products of quads, and no test has forbidden the
/// vectors that have them.
bool has_quad_products();

}  // namespace hlo::cpu
