#pragma once

#include <string>
#include <utility>
#include <vector>

#include "conformance/shrink/shrink.h"

namespace hlo::conformance {

/// What a folder of a failure has (spec/shrink.md, The folder): names and
/// texts. The backend is asked once more for what it gives, for so long at
/// most.
std::vector<std::pair<std::string, std::string>> reproducer_files(
    const Shrunk& shrunk, const std::string& backend, const MakeBackend& make,
    const ShrinkOptions& options);

}  // namespace hlo::conformance
