#pragma once

#include <optional>
#include <span>
#include <vector>

#include "conformance/explain/values/fraction.h"
#include "interpreter/model/literal.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// The values of the parts of a float or complex element: NaN and infinities
/// are themselves.
std::vector<double> parts_of(const Scalar& scalar);
/// The element as a number; nothing for NaN, infinities and complex elements.
std::optional<Fraction> number_of(const Scalar& scalar);
/// What an element-wise operation says that it rounds or wraps to a part of its
/// result; nothing where it says none, or no finite number.
std::optional<Fraction> exact_part(const Op& op,
                                   std::span<const Scalar> operands,
                                   size_t part);

}  // namespace hlo::conformance
