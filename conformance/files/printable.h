#pragma once

#include <string>

namespace hlo::conformance {

/// `text` with ? for control characters, which would confuse a terminal, and
/// for bytes that are not UTF-8.
std::string printable(std::string text);

/// What stands before what is told of a backend: "cpu:", and "jax:cpu:" of
/// jax:cpu.
std::string with_colon(std::string uri);

}  // namespace hlo::conformance
