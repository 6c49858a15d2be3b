#pragma once

#include <cstdint>
#include <string>

namespace hlo::conformance {

/// The most instructions of the entry computation of a random program.
inline constexpr int64_t kMostInstructions = 30;

/// The HLO text of a valid program of 1 to 30 instructions, over all operations
/// that can be evaluated and all element types; the same on every machine.
std::string random_program(uint64_t seed);

}  // namespace hlo::conformance
