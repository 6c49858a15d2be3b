#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "conformance/files/file_use.h"
#include "conformance/files/output_file.h"

namespace hlo::conformance {

/// Where what say() prints goes while this lives: into a file, which has it
/// when commit() is called; to standard output where the path is empty.
class OutputInto {
 public:
  /// Errors "file.write" and "file.twice".
  OutputInto(const std::string& path, FileUse& use);
  OutputInto(const OutputInto&) = delete;
  OutputInto& operator=(const OutputInto&) = delete;
  ~OutputInto();

  void commit();

 private:
  void put(std::string_view text);

  std::optional<OutputFile> file_;
  std::string text_;  // not handed to the file yet
};

}  // namespace hlo::conformance
