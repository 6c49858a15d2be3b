#pragma once

#include <string>

#include "interpreter/model/literal.h"

namespace hlo::stablehlo {

/// The shortest decimal of the number, with a point.
std::string decimal_text(double value);
/// "dense<[1, 2]> : tensor<2xi32>".
std::string dense_text(const Literal& literal);

}  // namespace hlo::stablehlo
