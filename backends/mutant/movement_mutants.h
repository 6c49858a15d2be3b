#pragma once

#include <span>

#include "backends/mutant/mutant.h"

namespace hlo {

/// Mutants with bugs in where elements come from.
std::span<const Mutant> movement_mutants();

}  // namespace hlo
