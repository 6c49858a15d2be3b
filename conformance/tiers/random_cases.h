#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case/case.h"

namespace hlo::conformance {

/// The cases of one random program, the same on every machine: each
/// instruction that does work of its own becomes a program of one instruction,
/// with the operands that the reference gave it, in layouts drawn for it, and a
/// collective one of as many devices (spec/conformance.md, Tiers).
std::vector<Case> cases_of_program(uint32_t seed, uint32_t number);

/// So many cases: the first ones of the programs from this number on.
std::vector<Case> cases_from_program(uint32_t seed, uint32_t number,
                                     size_t count);

}  // namespace hlo::conformance
