#pragma once

#include <string>
#include <string_view>

#include "interpreter/error.h"

namespace hlo::conformance {

/// An error of a file of cases: its message names the file and the place,
/// "spec/ops/pad.md:57:1: ...".
class FileError : public Error {
 public:
  FileError(const Error& error, const std::string& file,
            std::string_view source);

  /// The error with the line it is about and a caret, as text::render() says.
  const std::string& rendered() const { return rendered_; }

 private:
  std::string rendered_;
};

}  // namespace hlo::conformance
