#pragma once

#include <cstdint>
#include <memory>

#include "interpreter/definition/numbers/extended_real.h"

namespace hlo::definition {

/// Sums over k of c[k] cos(2 pi k / order) for integers c[k]; `order` is a
/// multiple of 4, so that sines are among them.
class CosineSums {
 public:
  explicit CosineSums(int64_t order);
  ~CosineSums();

  int64_t order() const { return order_; }

  /// Begins a new sum, of nothing.
  void clear();
  /// Adds x cos(2 pi k / order) for any k.
  void add(int64_t k, const Integer& x);
  /// The sum times `factor`, which is not 0: the number itself where it is
  /// rational, else one that every format rounds to the same code.
  Real times(const Real& factor);

 private:
  struct Numbers;

  int64_t order_;
  std::unique_ptr<Numbers> numbers_;
};

}  // namespace hlo::definition
