#pragma once

#include <span>
#include <string>
#include <vector>

#include "interpreter/model/module.h"

// Indices and places of elements in text of the kernels' dialect.

namespace hlo::gpu {

/// Makes one dimension of two that all strides step as one, and leaves out
/// those of size 1.
void join_dimensions(Ints& sizes, std::span<Ints* const> strides);

/// Statements that define NAME0, NAME1, ...: the index along each dimension at
/// the row-major place that the text `place` is.
std::string index_text(const Ints& sizes, const std::string& name,
                       const std::string& place);
/// The sum of the indices NAME0, NAME1, ... times the strides; `place` where
/// those are row-major.
std::string place_text(const Ints& sizes, const Ints& strides,
                       const std::string& name, const std::string& place);

}  // namespace hlo::gpu
