#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/files/descriptor.h"
#include "conformance/files/file_use.h"
#include "conformance/files/stop.h"

namespace hlo::conformance {

/// Files of one folder that get their names when all of them are whole. The
/// folder is made where there is none, and locked against other runs. Errors
/// "file.write", "file.twice".
class OutputFolder {
 public:
  OutputFolder(const std::string& folder, FileUse use);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

  void write(const std::string& name, std::string_view text);
  void commit();

 private:
  void discard();

  std::string folder_;
  FileUse use_;
  Descriptor lock_;
  std::vector<std::pair<std::string, std::string>> parts_;  // from, to
  OnStop on_stop_;
};

}  // namespace hlo::conformance
