#pragma once

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// How reductions of windows and of dimensions become instructions.
ConverterRows window_rows();

/// The window of `rank` dimensions that these attributes describe; an empty
/// list stands for ones.
struct WindowLists {
  Ints sizes, strides, base_dilations, window_dilations;
  IntPairs padding;
  Ints reversal = {};
};

Window make_window(const Conversion& c, int64_t rank, const WindowLists& lists);

}  // namespace hlo::stablehlo
