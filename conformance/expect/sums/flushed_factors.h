#pragma once

#include <array>
#include <optional>
#include <vector>

#include "conformance/expect/sums/factor_finder.h"
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

/// The products of a contraction that may be NaN because zero takes the place
/// of a factor.
class FlushedProducts {
 public:
  /// In the component type of the result. Refers to all but the profile; the
  /// plan may be null.
  FlushedProducts(const Contraction* plan, const Instruction& instruction,
                  Operands operands, const Profile& profile);

  /// Whether one is among the terms of the real or the imaginary part of the
  /// element at a row-major position.
  bool are_nan(int64_t position, bool imaginary);

 private:
  /// How the real and the imaginary parts of an operand's elements count.
  using Parts = std::array<std::vector<FactorReading>, 2>;

  bool may_be_nan_at(size_t left, size_t right, bool imaginary) const;

  std::array<Parts, 2> operands_;
  bool is_complex_;
  std::optional<FactorFinder> factors_;  // none where no product is NaN
};

/// The sum of one NaN.
numeric::ExactSum sum_of_nan();

}  // namespace hlo::conformance
