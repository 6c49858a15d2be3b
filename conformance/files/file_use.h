#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "conformance/files/descriptor.h"

namespace hlo::conformance {

/// The files that a command reads and writes, by device and inode, so that a
/// file of several names is one. Standard input and output are among them
/// where they are files. What another run has put a file in the place of is no
/// longer among them: its inode may be that of a new file.
class FileUse {
 public:
  FileUse();

  /// What does not exist, and devices, are not looked at.
  void read(const std::string& path);
  void read(const std::vector<std::string>& paths);
  /// Error "file.twice" where the command reads or writes the file already.
  void check(const FileStatus& file, const std::string& name) const;
  /// check(), and notes what stands at the path as written.
  void write(const FileStatus& file, const std::string& path);
  /// check(), and notes as written a file that stays open, which errors call
  /// `name`.
  void write_open(const FileStatus& file, const std::string& name);

 private:
  using Id = std::pair<dev_t, ino_t>;
  /// With the paths that led to them; "" of files that are open.
  using Files = std::map<Id, std::string>;

  static void note(Files& files, const FileStatus& file,
                   const std::string& path);
  static bool has(const Files& files, const Id& id);

  Files read_;
  Files written_;
};

/// The paths without those of a file that an earlier one leads to as well.
std::vector<std::string> distinct_files(const std::vector<std::string>& paths);

}  // namespace hlo::conformance
