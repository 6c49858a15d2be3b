#pragma once

#include <string_view>

#include "interpreter/model/module.h"
#include "interpreter/stablehlo/import/importer/parameter_sizes.h"
#include "interpreter/stablehlo/syntax.h"

namespace hlo::stablehlo {

/// The HLO module that means the same (spec/stablehlo.md), not yet verified:
/// every function that is called is a computation, `main` (or the only
/// function, or the first that is not called by others) the entry. Its root
/// is the only result, or the tuple of the results. check.* are calls
/// of the custom-call targets of the same names. Errors have a label of
/// spec/stablehlo.md and the place of the operation.
Module import_program(const Program& program);

/// The HLO module of a program whose entry's arguments leave sizes open (`?`),
/// which are those; `sizes` is asked for such arguments only.
Module import_program(const Program& program, const ParameterSizes& sizes);

/// The verified HLO module of a text with one program. Error
/// "stablehlo.programs" where it has none or several.
Module import_text(std::string_view source);

}  // namespace hlo::stablehlo
