#include "conformance/case/manifest.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "conformance/files/read_file.h"
#include "conformance/literals/content_hash.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

using Json = nlohmann::ordered_json;

/// The version of the vector files: a change that readers of the old ones
/// cannot read gets the next number.
constexpr int kFormat = 1;

struct Entry {
  int64_t cases = 0;
  std::string sha256;
  friend bool operator==(const Entry&, const Entry&) = default;
};

using Entries = std::map<std::string, Entry>;

Entries entries_of(const std::string& folder,
                   const std::vector<std::string>& files) {
  Entries entries;
  for (const std::string& file : files) {
    const std::string text = read_file(file);
    const std::string name =
        std::filesystem::path(file).lexically_relative(folder).string();
    // A line for each case, and the first line.
    entries[name] = {.cases = std::ranges::count(text, '\n') - 1,
                     .sha256 = sha256(text)};
  }
  return entries;
}

[[noreturn]] void refuse_manifest(const std::string& found) {
  refuse(Phase::kParse, "vectors.manifest", {"the manifest ", found},
         "it must be what assay golden manifest writes");
}

Entries parse_manifest(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("format") ||
      !json.contains("files") || !json["files"].is_object()) {
    refuse_manifest("is no object with format and files");
  }
  if (json["format"] != kFormat) {
    refuse_manifest("has the format " + json["format"].dump());
  }
  Entries entries;
  for (const auto& [name, entry] : json["files"].items()) {
    const bool good = entry.is_object() && entry.contains("cases") &&
                      entry["cases"].is_number_integer() &&
                      entry.contains("sha256") && entry["sha256"].is_string();
    if (!good) refuse_manifest("has a wrong entry for " + name);
    entries[name] = {.cases = entry["cases"].get<int64_t>(),
                     .sha256 = entry["sha256"].get<std::string>()};
  }
  return entries;
}

std::string difference(const std::string& name, const Entry& stated,
                       const Entry& found) {
  if (stated.cases == found.cases) return name + " has changed";
  return name + " has " + std::to_string(found.cases) + " cases instead of " +
         std::to_string(stated.cases);
}

}  // namespace

std::string make_manifest(const std::string& folder,
                          const std::vector<std::string>& files) {
  int64_t cases = 0;
  Json list = Json::object();
  for (const auto& [name, entry] : entries_of(folder, files)) {
    list[name] = {{"cases", entry.cases}, {"sha256", entry.sha256}};
    cases += entry.cases;
  }
  const Json json = {{"format", kFormat}, {"cases", cases}, {"files", list}};
  return json.dump(1) + "\n";
}

std::vector<std::string> manifest_differences(
    std::string_view manifest, const std::string& folder,
    const std::vector<std::string>& files) {
  const Entries stated = parse_manifest(manifest);
  const Entries found = entries_of(folder, files);
  std::vector<std::string> differences;
  for (const auto& [name, entry] : stated) {
    const auto at = found.find(name);
    if (at == found.end()) {
      differences.push_back(name + " is missing");
    } else if (at->second != entry) {
      differences.push_back(difference(name, entry, at->second));
    }
  }
  for (const auto& [name, entry] : found) {
    if (!stated.contains(name)) {
      differences.push_back(name + " is not in the manifest");
    }
  }
  return differences;
}

}  // namespace hlo::conformance
