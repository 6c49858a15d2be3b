#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "interpreter/model/module.h"
#include "interpreter/stablehlo/syntax.h"

namespace hlo::stablehlo {

/// The HLO module that means the same (spec/stablehlo.md), not yet verified:
/// every function that is called is a computation, `main` (or the only
/// function, or the first that is not called by others) the entry. Its root
/// is the only result, or the tuple of the results. check.* are calls
/// of the custom-call targets of the same names. Errors have a label of
/// spec/stablehlo.md and the place of the operation.
Module import_program(const Program& program);

/// The sizes of a parameter of the entry, by its number, where they are known.
using ParameterSizes =
    std::function<std::optional<std::vector<int64_t>>(size_t)>;
/// The same; sizes that the entry's arguments leave open (`?`) are those. It is
/// asked for such arguments only.
Module import_program(const Program& program, const ParameterSizes& sizes);

/// Of a text with one program: parsed, imported, verified. Error
/// "stablehlo.programs" where it has none or several.
Module import_text(std::string_view source);

}  // namespace hlo::stablehlo
