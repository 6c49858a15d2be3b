#pragma once

#include "backends/gpu/operations/fourier/device_transform.h"

namespace hlo::gpu {

/// The sums of a transform in pairs of f64, and what their bounds tell
/// (kernels/fourier/spectrum.inc).
class Spectrum {
 public:
  /// Decides the elements of the transform that the bounds decide.
  explicit Spectrum(const Transform& transform);

  const Transform& transform() const { return transform_; }

  /// The parameters of the kernels that read the sums.
  Ints words() const;

  /// Exponents of a power of two that all numbers are multiples of, and of one
  /// above them; equal where all are 0.
  struct Span {
    int64_t last = 0;
    int64_t above = 0;
  };

  Span span() const;

 private:
  const Transform& transform_;
  Value measures_;
  Value sums_;
};

}  // namespace hlo::gpu
