#pragma once

#include <cstdint>

#include "conformance/expect/sums/folded_terms.h"
#include "conformance/levels/profile.h"
#include "conformance/sets/component_range.h"
#include "conformance/sets/sum_range.h"
#include "interpreter/numeric/exact/exact_sum.h"

namespace hlo::conformance {

/// What sums of floats or complex numbers may be that a region adds, in its own
/// type, in that of the result, or in anything finer, and of terms that are
/// converted first or are not (spec/conformance.md, Sums).
class FoldedSums {
 public:
  FoldedSums(const FoldedTerms& terms, ElementType result,
             const Profile& profile);

  /// The set of a part of an element of the result.
  BoundedSet at(int64_t i, int part) const;

 private:
  struct Sum {
    numeric::ExactSum sum;
    bool as_they_are = true;  // the terms, which quantum_ is of
    uint64_t far = 0;  // sources of which conversion makes more than a rounding
    bool keeps_far = false;  // a term of such a source stayed as it is
  };

  /// The sum of terms that are taken in a type, where that makes more than a
  /// rounding of them, but for those of some sources, a bit for each.
  Sum sum(int64_t i, int part, ElementType taken, uint64_t own) const;
  /// What it may be where partial sums have that type.
  ComponentRange range(const Sum& sum, ElementType kept) const;
  bool is_exact(const Sum& sum, ElementType kept) const;

  const FoldedTerms& terms_;
  const Profile& profile_;
  ElementType region_;  // of a part
  ElementType result_;  // of a part
  int quantum_;
};

}  // namespace hlo::conformance
