#pragma once

#include <vector>

#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// The exact sum of the terms of an element (Op::terms) of a float type, or of
/// the real or the imaginary part of a complex one: what results of a backend
/// are judged against.
numeric::ExactSum sum_of_terms(const std::vector<hlo::Term>& terms,
                               Operands operands, ElementType type,
                               bool imaginary);

}  // namespace hlo::conformance
