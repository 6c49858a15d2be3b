#pragma once

#include <optional>
#include <vector>

#include "conformance/explain/values/fraction.h"
#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// The values of the parts of a float or complex element: NaN and infinities
/// are themselves.
std::vector<double> parts_of(const Scalar& scalar);
/// The element as a number; nothing for NaN, infinities and complex elements.
std::optional<Fraction> number_of(const Scalar& scalar);

}  // namespace hlo::conformance
