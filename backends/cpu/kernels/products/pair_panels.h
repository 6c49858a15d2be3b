#pragma once

#include <cstdint>

namespace hlo::cpu {

/// Whether the machine multiplies pairs of bf16 and adds them up in f32, and no
/// test has forbidden the vectors that do.
bool has_pair_products();

/// Rows and columns of the tile of a product that stays in registers.
inline constexpr int64_t kPairRows = 14;
inline constexpr int64_t kPairColumns = 32;

/// A panel of rows (left[i * left_step + p]) times one of kPairColumns columns
/// (right[p * kPairColumns + j]), of pairs of bf16 whose high half is added
/// first. The first `rows` times `columns` of the tile are written, continuing
/// the sums that stand there where `continues`.
struct PairProduct {
  const uint32_t* left;
  int64_t left_step;
  const uint32_t* right;
  int64_t pairs;
  bool continues;
  float* result;
  int64_t result_step;
  int64_t rows;
  int64_t columns;
};

/// Only where has_pair_products().
void multiply_pair_panels(const PairProduct& product);

}  // namespace hlo::cpu
