#pragma once

#include <span>

#include "backends/mutant/mutant.h"

namespace hlo {

/// Mutants with bugs in solves and random numbers.
std::span<const Mutant> linear_mutants();

}  // namespace hlo
