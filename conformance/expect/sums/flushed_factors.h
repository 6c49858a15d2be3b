#pragma once

#include "conformance/levels/profile.h"
#include "interpreter/model/literal.h"
#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {

/// What a factor may count as, as it is or converted, besides its own number.
struct FactorReading {
  bool zero = false;  // it is flushed
  bool infinite = false;
};

/// How a backend may read the factors of products of a float type, where the
/// profile lets it take zero for subnormal ones (spec/conformance.md, Sums:
/// special terms).
class FactorReadings {
 public:
  FactorReadings(const Profile& profile, const numeric::FloatFormat& result);

  /// A number of a real type, as double has it.
  FactorReading of(double number, ElementType type) const;
  /// A real element, or a part of a complex one.
  FactorReading of(const Scalar& x, size_t part) const;
  /// A number that is computed in the type of the result.
  FactorReading of_computed(double number) const;

 private:
  bool daz_;
  bool flushes_;
  const numeric::FloatFormat& format_;
};

/// Whether the product of the two may be that of zero and infinity.
inline bool may_be_nan(FactorReading a, FactorReading b) {
  return (a.zero && b.infinite) || (a.infinite && b.zero);
}

/// The sum of one NaN.
numeric::ExactSum sum_of_nan();

}  // namespace hlo::conformance
