#pragma once

#include <cstdint>
#include <vector>

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/rules/dimensions/updates_rule.h"

// What axes of a profile leave open beside elements (sets/open_results.h).

namespace hlo::conformance {

/// Whether it draws bits by an algorithm that it names, and a backend may draw
/// others (random-bits=any).
bool draws_freely(const Instruction& instruction, const Profile& profile);

/// The elements, by position, that updates would reach whose window lies partly
/// outside.
std::vector<int64_t> under_partial_windows(const Updates& updates);

/// Opens what updates may reach whose window lies partly outside: backends drop
/// such a window as the reference does, or its elements that lie outside
/// (scatter-windows=any).
void open_partial_windows(const Instruction& instruction, Operands operands,
                          std::vector<Expectation>& sets);

}  // namespace hlo::conformance
