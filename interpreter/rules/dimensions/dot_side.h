#pragma once

#include "interpreter/rules/op.h"

namespace hlo {

/// The dimensions of one operand of a dot: batch and contracting ones, and the
/// free others.
struct DotSide {
  DotSide(const Instruction& dot, size_t operand);

  /// The index of the element at b, i and k of batch, free and contracting
  /// dimensions.
  Index at(const Index& b, const Index& i, const Index& k) const;

  int64_t rank;
  Ints batch, contracting, free;
};

/// The index of an element of a dot's result: batch dimensions, then the free
/// ones of lhs and of rhs.
struct DotIndex {
  DotIndex(const DotSide& lhs, const Index& result);

  Index b, m, n;
};

/// The sizes of the contracting dimensions.
Ints depth_of(const Instruction& dot);

}  // namespace hlo
