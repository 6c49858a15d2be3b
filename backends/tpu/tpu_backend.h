#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"

namespace hlo {

/// The machine whose memory is tiled, "tpu:" or with options (tpu_options.h),
/// or with a fault and 2^18 bytes of scratch memory, "tpu-mutant:NAME"
/// (memory/fault.h). Null for other URIs and
/// names; Error "usage.backend" for options that there are not.
std::unique_ptr<Backend> make_tpu_backend(std::string_view uri);

/// Its URIs with one option each, and with each fault.
std::vector<std::string> known_tpu_backends();

/// What the broken machine "tpu-mutant:NAME" does; "" for other URIs.
std::string_view fault_of_tpu_backend(std::string_view uri);

/// The profile (spec/conformance.md) that the matrix unit of that URI is judged
/// under; "" for URIs of other backends.
std::string profile_of_tpu_backend(std::string_view uri);

}  // namespace hlo
