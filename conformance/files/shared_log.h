#pragma once

#include <string>
#include <string_view>

#include "conformance/files/descriptor.h"

namespace hlo::conformance {

/// A file to which several runs add at the same time. Nobody waits for another
/// one, and what one adds lies in one piece, unless the disk is full, the
/// machine dies, or a file system of a network has it otherwise.
class SharedLog {
 public:
  /// The file and its folder are made where they are not there; one that cannot
  /// be written is opened to be read. Errors "file.read", "file.write".
  explicit SharedLog(const std::string& path);

  /// What is in it and was not read yet. Error "file.read", also for more than
  /// kMaxTextBytes.
  std::string read() const;
  /// Adds the text at the end. Error "file.write".
  void append(std::string_view text);

 private:
  std::string path_;
  Descriptor file_;
  int write_error_ = 0;  // why nothing can be written
};

}  // namespace hlo::conformance
