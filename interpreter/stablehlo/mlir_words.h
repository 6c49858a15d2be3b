#pragma once

#include <string>
#include <string_view>

#include "interpreter/model/element_type.h"

namespace hlo::stablehlo {

/// What MLIR calls an element type, "i8", "complex<f32>"; empty where StableHLO
/// has none.
std::string element_word(ElementType type);
/// "\"characters\"", with what MLIR does not print escaped.
std::string string_text(std::string_view characters);

}  // namespace hlo::stablehlo
