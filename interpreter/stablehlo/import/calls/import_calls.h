#pragma once

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// How calls become instructions.
ConverterRows call_rows();

}  // namespace hlo::stablehlo
