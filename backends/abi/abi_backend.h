#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "backends/backend.h"

namespace hlo {

/// "abi:LIB.so" or "abi:timeout=S startup=S LIB.so": a shared library with the
/// functions of assay_backend.h, in a process of its own. Nothing where the
/// text is another; Error "usage.backend" where there is no such file, or no
/// program to load it.
std::unique_ptr<Backend> make_abi_backend(std::string_view uri);
/// make_abi_backend() with this program in place of the one that is found.
std::unique_ptr<Backend> make_abi_backend(std::string_view uri,
                                          const std::string& worker);

}  // namespace hlo
