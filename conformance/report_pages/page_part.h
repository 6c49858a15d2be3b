#pragma once

#include <span>
#include <string_view>

namespace hlo::conformance {

/// A file of the folder `page` (embedded at build).
struct PagePart {
  std::string_view name;  // without its ending
  std::string_view text;
};

/// In the order of their names.
std::span<const PagePart> page_frames();   // HTML
std::span<const PagePart> page_styles();   // CSS
std::span<const PagePart> page_scripts();  // JavaScript

}  // namespace hlo::conformance
