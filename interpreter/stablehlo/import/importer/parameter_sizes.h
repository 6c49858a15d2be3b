#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace hlo::stablehlo {

/// The sizes of a parameter of the entry, by its number, where they are known.
using ParameterSizes =
    std::function<std::optional<std::vector<int64_t>>(size_t)>;

}  // namespace hlo::stablehlo
