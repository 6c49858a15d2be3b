#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"

namespace hlo {

/// The machine whose memory is tiled, "tpu:" or with options (tpu_options.h).
/// Null for other URIs; Error "usage.backend" for options that there are not.
std::unique_ptr<Backend> make_tpu_backend(std::string_view uri);

/// Its URIs with one option each.
std::vector<std::string> known_tpu_backends();

}  // namespace hlo
