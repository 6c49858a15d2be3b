#pragma once

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// How map, sort and scatter become instructions.
ConverterRows region_rows();

}  // namespace hlo::stablehlo
