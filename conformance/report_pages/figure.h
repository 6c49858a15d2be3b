#pragma once

#include <string>

namespace hlo::conformance {

/// A picture that the page shows beside its runs.
struct Figure {
  std::string title;
  std::string text;  // what it shows, in words
  std::string svg;
};

}  // namespace hlo::conformance
