#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/case.h"

namespace hlo::conformance {

/// A module that must print back to itself.
struct SyntaxExample {
  std::string hlo;
  std::string file;
  int line = 0;  // of the module's first line
};

/// What a page's fences say.
struct SpecPage {
  std::vector<Case> cases;  // `hlo example` and `hlo invalid LABEL`
  std::vector<SyntaxExample> syntax;
};

/// Reads the fences of a page (spec/conformance.md, Pages); `file` is what is
/// reported ("spec/ops/pad.md"). Throws Error "page.*" with the line.
SpecPage parse_spec_page(std::string_view text, std::string_view file);

}  // namespace hlo::conformance
