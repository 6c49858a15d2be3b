#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hlo::conformance {

/// The text of a manifest of vector files: the version of their format, and of
/// each file its name, how many cases it has and the SHA-256 of its bytes
/// (spec/conformance.md, Tiers). Names are relative to `folder`.
std::string make_manifest(const std::string& folder,
                          const std::vector<std::string>& files);

/// How the files differ from the manifest, a sentence each: "abs.jsonl has
/// changed". Error "vectors.manifest" where the text is none.
std::vector<std::string> manifest_differences(
    std::string_view manifest, const std::string& folder,
    const std::vector<std::string>& files);

}  // namespace hlo::conformance
