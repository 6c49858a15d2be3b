#pragma once

#include <cstddef>
#include <cstdint>

#include "interpreter/model/element_type.h"

namespace hlo::cpu {

/// What an element x, and y of another array, adds to the sum of its feature.
enum class FeatureTerm : uint8_t {
  kNumber,   // x
  kSquare,   // (x - mean)^2
  kProduct,  // y (x - mean)
};

/// What becomes of an element, by the numbers a, b ... of its feature and one
/// for all, n.
enum class FeatureMap : uint8_t {
  kScaled,    // (x - a) b + c
  kDivided,   // (x - a) / b c + d
  kGradient,  // a (n y - b - (x - c) d / e)
};

inline constexpr int kMostFeatureNumbers = 5;

/// n elements, one after the other, of arrays of f32 or f64: all of one
/// feature, or each of the next one.
struct FeaturePiece {
  ElementType type = ElementType::kF32;
  const std::byte* x = nullptr;
  const std::byte* y = nullptr;  // null where it is not read
  int64_t n = 0;
};

/// The sum of a piece of one feature: 32 sums of every 32nd element, which are
/// added by halves.
double sum_piece(FeatureTerm term, const FeaturePiece& piece, double mean);

/// Adds its term of each element to the sum of its feature.
void add_piece(FeatureTerm term, const FeaturePiece& piece, const double* means,
               double* sums);

/// The numbers of the first feature of a piece; those of the next one lie
/// beside them.
struct FeatureNumbers {
  const double* first[kMostFeatureNumbers] = {};
  double n = 0;
};

/// Writes what becomes of a piece, rounded to its type. `of_one`: all elements
/// are of the first feature.
void map_piece(FeatureMap map, const FeaturePiece& piece,
               const FeatureNumbers& numbers, bool of_one, std::byte* to);

}  // namespace hlo::cpu
