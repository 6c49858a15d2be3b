#pragma once

#include <memory>
#include <string_view>

#include "backends/backend.h"

namespace hlo {

/// "cpu:": plain loops over the host's own arithmetic and mathematical
/// functions, with sums in an order of its own. It shares the model and the
/// verified program with the reference, and no arithmetic.
/// Its loops are shared by that many threads, by default by as many as there
/// are cores left.
std::unique_ptr<Backend> make_cpu_backend(int threads = 0);
/// "cpu:?fast-math=on", "cpu:?threads=2&fast-math=on"; null of other URIs.
/// Error "usage.backend" where an option is wrong.
std::unique_ptr<Backend> make_cpu_backend(std::string_view uri);

/// The profile (spec/conformance.md) that the backend of such a URI keeps;
/// empty of other URIs. Error as above.
std::string_view profile_of_cpu_backend(std::string_view uri);

}  // namespace hlo
