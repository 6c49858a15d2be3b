#pragma once

#include <span>

#include "backends/mutant/mutant.h"

namespace hlo {

/// Mutants with bugs in numbers.
std::span<const Mutant> number_mutants();

}  // namespace hlo
