#pragma once

#include <string>

#include "interpreter/model/module.h"

namespace hlo::stablehlo {

/// The StableHLO text of a verified module, in the generic form of every
/// operation, with `main` for the entry computation. import_text() of it gives
/// a module that computes the same bits. Error "stablehlo.export" where the
/// module uses what StableHLO cannot say.
std::string print(const Module& module);

}  // namespace hlo::stablehlo
