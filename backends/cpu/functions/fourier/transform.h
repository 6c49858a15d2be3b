#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "backends/cpu/kernels/transforms/factored_transform.h"

namespace hlo::cpu {

/// Discrete Fourier transforms of one length.
class Transform {
 public:
  explicit Transform(size_t length);
  ~Transform();

  /// Replaces so many lines by their transforms, with exp(-2 pi i k t / n) for
  /// each term, or with exp(2 pi i k t / n) where `inverse`; nothing is
  /// divided. Number k of line g is number k * lines + g of x. Several threads
  /// may do so at a time, each with a room of its own, which grows as is
  /// needed.
  void apply(ComplexParts x, size_t lines, bool inverse,
             std::vector<double>& room) const;

 private:
  class Convolved;

  size_t length_;
  std::unique_ptr<const FactoredTransform> factored_;
  std::unique_ptr<const Convolved> convolved_;
};

}  // namespace hlo::cpu
