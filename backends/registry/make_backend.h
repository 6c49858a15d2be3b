#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"

namespace hlo {

/// The URI that a person means: "cpu:" by cpu, "interpreter:" by interpreter;
/// any other text as it stands.
std::string backend_uri(std::string_view text);
/// The backend of a URI as backend_uri() takes it: "interpreter:", "cpu:",
/// "gpu:", "tpu:", "mutant:NAME", "tpu-mutant:NAME", "process:COMMAND",
/// "abi:LIB.so". Throws Error
/// "usage.backend" with the kinds that there are.
std::unique_ptr<Backend> make_backend(std::string_view text);
/// What the backend of a URI says that it can do, and cannot (Backend::tags);
/// nothing where it does not start.
std::vector<std::string> declared_tags(std::string_view text);
/// The profile (spec/conformance.md) that a URI's options declare: what its
/// backend is judged under where nothing else is asked for. Error
/// "usage.backend" where they are wrong.
std::string declared_profile(std::string_view text);
/// The URIs that make_backend knows, one a line of `assay list`.
std::vector<std::string> known_backends();
/// What there is to say of a known backend: the name of the device that it
/// needs, or why that is not there, or what a broken machine does.
std::string state_of_backend(std::string_view uri);

}  // namespace hlo
