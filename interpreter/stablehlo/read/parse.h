#pragma once

#include <string_view>
#include <vector>

#include "interpreter/stablehlo/syntax.h"

namespace hlo::stablehlo {

/// Whether the text is MLIR rather than HLO, by its first token: module,
/// func.func, builtin.module in quotes, or an alias. Never fails.
bool is_stablehlo(std::string_view source);

/// The programs of a text: what `// -----` lines separate; pieces without
/// anything in them are left out. Parse errors "stablehlo.*"
/// (spec/stablehlo.md) with the line and column in the whole text.
std::vector<Program> parse(std::string_view source);

/// The literal that a text such as `dense<[1, 2]> : tensor<2xi32>` spells.
Literal parse_dense(std::string_view source);

}  // namespace hlo::stablehlo
