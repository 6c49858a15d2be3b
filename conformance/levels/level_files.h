#pragma once

#include <span>
#include <string_view>

namespace hlo::conformance {

/// A file of conformance/levels, as JSON, embedded at build time.
struct LevelFile {
  std::string_view name;
  std::string_view text;
};

std::span<const LevelFile> level_files();

}  // namespace hlo::conformance
