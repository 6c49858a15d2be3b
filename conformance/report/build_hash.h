#pragma once

#include <string_view>

namespace hlo::conformance {

/// SHA-256, in hex, of the sources of this program: builds of the same sources
/// have the same, wherever and by whatever they are compiled
/// (conformance/hash_sources.cmake).
std::string_view build_hash();

}  // namespace hlo::conformance
