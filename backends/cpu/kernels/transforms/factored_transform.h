#pragma once

#include <cstddef>
#include <vector>

#include "backends/cpu/kernels/transforms/parts_apart.h"

namespace hlo::cpu {

/// The factor of a length that is summed term by term.
inline constexpr size_t kLargestFactor = 50;

/// exp(-2 pi i k / n) for k from 0 to n - 1, of angles that are reduced to an
/// eighth of the circle exactly.
struct Roots {
  std::vector<double> re;
  std::vector<double> im;

  explicit Roots(size_t n);
};

/// Transforms of one length, whose prime factors are at most kLargestFactor,
/// with exp(-2 pi i k t / n) for each term. Nothing is divided.
class FactoredTransform {
 public:
  explicit FactoredTransform(size_t length);

  /// Transforms so many lines: number k of line g is number k * lines + g of x,
  /// and of what is returned, which is x or `room`, of as many numbers; both
  /// are written. What becomes of a line does not depend on the others, or on
  /// how many there are. Several threads may do so at a time.
  ComplexParts apply(ComplexParts x, ComplexParts room, size_t lines) const;

 private:
  size_t length_;
  Roots roots_;
  std::vector<size_t> factors_;  // in the order of the passes
};

}  // namespace hlo::cpu
