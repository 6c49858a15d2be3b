#include "backends/registry/engine_command.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "backends/process/shell_word.h"
#include "interpreter/error.h"

namespace hlo {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kJax = "jax:";
// Engines that have no platforms, or one.
constexpr std::array<std::string_view, 3> kWhole = {
    "stablehlo-interpreter:", "iree:llvm-cpu", "onnxruntime:"};

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_';
}

/// The folder of the package, in the sources, where it is installed, or around
/// this program where the package brought it along; empty where there is none.
fs::path package_folder() {
  std::error_code error;
  fs::path above = fs::read_symlink("/proc/self/exe", error);
  while (!error && above != above.parent_path()) {
    above = above.parent_path();
    for (const char* const inside :
         {"conformance/python", "share/assay/conformance/python", ""}) {
      std::error_code ignored;
      fs::path folder = (above / inside).lexically_normal();
      if (fs::is_directory(folder / "assay" / "serve", ignored)) {
        return folder;
      }
    }
  }
  return {};
}

bool is_engine(std::string_view uri) {
  if (std::ranges::find(kWhole, uri) != kWhole.end()) return true;
  if (!uri.starts_with(kJax)) return false;
  const std::string_view platform = uri.substr(kJax.size());
  return !platform.empty() && std::ranges::all_of(platform, is_word_character);
}

}  // namespace

std::optional<std::string> engine_command(std::string_view uri) {
  if (!is_engine(uri)) return std::nullopt;
  const fs::path folder = package_folder();
  if (folder.empty()) {
    throw Error(Phase::kParse, "usage.backend",
                "the package of Python that starts " + std::string(uri) +
                    " is not there, but conformance/python must stand beside "
                    "this program's data");
  }
  return "process:startup=60 env PYTHONPATH=" +
         process::shell_word(folder.string()) +
         " \"${ASSAY_PYTHON:-python3}\" -m assay.serve " + std::string(uri);
}

}  // namespace hlo
