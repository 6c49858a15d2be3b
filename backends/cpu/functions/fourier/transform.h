#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>

namespace hlo::cpu {

/// Discrete Fourier transforms of one length.
class Transform {
 public:
  explicit Transform(size_t length);
  ~Transform();

  /// Replaces so many numbers by their transform, with exp(-2 pi i k t / n) for
  /// each term, or with exp(2 pi i k t / n) where `inverse`; nothing is
  /// divided. Several threads may do so at a time.
  void apply(std::span<std::complex<double>> x, bool inverse) const;

 private:
  class Factored;
  class Convolved;

  size_t length_;
  std::unique_ptr<const Factored> factored_;
  std::unique_ptr<const Convolved> convolved_;
};

}  // namespace hlo::cpu
