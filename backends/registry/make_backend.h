#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"

namespace hlo {

/// The backend of a URI: "interpreter:", "cpu:", "mutant:NAME". Throws
/// Error "usage.backend" with the kinds that there are.
std::unique_ptr<Backend> make_backend(std::string_view uri);
/// The URIs that make_backend knows, one a line of `assay list`.
std::vector<std::string> known_backends();

}  // namespace hlo
