#pragma once

#include "interpreter/model/attribute.h"
#include "interpreter/text/grammar/scanner.h"

namespace hlo::text {

/// Integers between brackets: `{1,2}`.
Ints read_ints(Lexer& in, char open = '{', char close = '}');
/// A window: `{size=3x3 pad=1_1x1_1}`.
Window read_window(Lexer& in);
/// Padding of each dimension: `0_1x2_3_1`.
PaddingConfig read_padding(Lexer& in);
/// Bounds of a slice: `{[0:2], [1:9:2]}`.
SliceConfig read_slice(Lexer& in);
/// Labels of the dimensions of a convolution: `b01f_01io->b01f`.
DimLabels read_dim_labels(Lexer& in);
/// A decimal number as it is written.
Decimal read_decimal(Lexer& in);

}  // namespace hlo::text
