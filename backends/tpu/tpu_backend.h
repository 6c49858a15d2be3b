#pragma once

#include <memory>
#include <string_view>

#include "backends/backend.h"

namespace hlo {

/// The machine whose memory is tiled, "tpu:". Null for other URIs; Error
/// "usage.backend" for options that there are not.
std::unique_ptr<Backend> make_tpu_backend(std::string_view uri);

}  // namespace hlo
