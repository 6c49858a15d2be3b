#pragma once

#include <string_view>

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// The converter of a custom call of LAPACK's target; null for others, and for
/// those that are no operation of HLO.
Converter find_lapack(std::string_view target);

}  // namespace hlo::stablehlo
