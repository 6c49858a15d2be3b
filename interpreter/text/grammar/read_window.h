#pragma once

#include "interpreter/model/attribute.h"
#include "interpreter/text/scan/scanner.h"

namespace hlo::text {

/// Integers between brackets: `{1,2}`.
Ints read_ints(Scanner& in, char open = '{', char close = '}');
/// A window: `{size=3x3 pad=1_1x1_1}`.
Window read_window(Scanner& in);
/// Padding of each dimension: `0_1x2_3_1`.
PaddingConfig read_padding(Scanner& in);
/// Bounds of a slice: `{[0:2], [1:9:2]}`.
SliceConfig read_slice(Scanner& in);
/// Labels of the dimensions of a convolution: `b01f_01io->b01f`.
DimLabels read_dim_labels(Scanner& in);
/// A decimal number as it is written.
Decimal read_decimal(Scanner& in);

}  // namespace hlo::text
