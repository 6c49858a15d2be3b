#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hlo {

/// The URI "process:..." of the worker of "jax:PLATFORM" or another engine of
/// conformance/python/assay/serve, run by $ASSAY_PYTHON or python3; nothing
/// where the text is no such URI. Throws Error "usage.backend" where that
/// package is not found above this program.
std::optional<std::string> engine_command(std::string_view uri);

}  // namespace hlo
