#pragma once

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// How operations that slice, pad and gather become instructions.
ConverterRows indexing_rows();

}  // namespace hlo::stablehlo
