#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case/case.h"

namespace hlo::conformance {

/// The case with layouts and tiles drawn for what its program takes and gives,
/// and for half of its instructions; what may come out is the same
/// (spec/conformance.md, Tiers). Nothing where it must be refused, or no array
/// can lie otherwise. The seed and the id say what is drawn.
std::optional<Case> laid_out_again(const Case& c, uint32_t seed);

/// Its id then.
std::string laid_out_id(const Case& c, uint32_t seed);

/// So many of these cases laid out again, or as many as there are: which ones,
/// says the seed.
std::vector<Case> laid_out_cases(const std::vector<Case>& cases, uint32_t seed,
                                 int64_t count);

}  // namespace hlo::conformance
