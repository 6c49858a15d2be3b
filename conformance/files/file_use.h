#pragma once

#include <sys/types.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/files/descriptor.h"

namespace hlo::conformance {

/// The files that a command reads and writes, by device and inode, so that a
/// file of several names is one. Standard input and output are among them
/// where they are files.
class FileUse {
 public:
  FileUse();

  /// What does not exist, and devices, are not looked at.
  void read(const std::string& path);
  void read(const std::vector<std::string>& paths);
  /// Error "file.twice" where the command reads or writes the file already.
  void check(const FileStatus& file, const std::string& name) const;
  /// check(), and notes it as written.
  void write(const FileStatus& file, const std::string& name);

 private:
  using Id = std::pair<dev_t, ino_t>;

  std::set<Id> read_;
  std::set<Id> written_;
};

/// The paths without those of a file that an earlier one leads to as well.
std::vector<std::string> distinct_files(const std::vector<std::string>& paths);

}  // namespace hlo::conformance
