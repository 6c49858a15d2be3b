#pragma once

#include <cstddef>
#include <memory>

#include "backends/cpu/kernels/transforms/factored_transform.h"

namespace hlo::cpu {

/// Discrete Fourier transforms of one length.
class Transform {
 public:
  explicit Transform(size_t length);
  ~Transform();

  /// How many numbers the room for so many lines has.
  size_t room_numbers(size_t lines) const;

  /// The transforms of so many lines, with exp(-2 pi i k t / n) for each term,
  /// or with exp(2 pi i k t / n) where `inverse`; nothing is divided. Number k
  /// of line g is number k * lines + g of x, and of what is returned, which
  /// lies in x or in the room; both are written. Several threads may do so at a
  /// time, each with a room of its own.
  ComplexParts apply(ComplexParts x, size_t lines, bool inverse,
                     double* room) const;

 private:
  class Convolved;

  size_t length_;
  std::unique_ptr<const FactoredTransform> factored_;
  std::unique_ptr<const Convolved> convolved_;
};

}  // namespace hlo::cpu
