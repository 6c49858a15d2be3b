#pragma once

#include "interpreter/stablehlo/export/export_writer.h"

namespace hlo::stablehlo {

/// How products, FFT, linear algebra and normalization are written.
ExportRows linear_exporters();

}  // namespace hlo::stablehlo
