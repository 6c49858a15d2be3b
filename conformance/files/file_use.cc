#include "conformance/files/file_use.h"

#include <unistd.h>

#include "interpreter/error.h"

namespace hlo::conformance {

FileUse::FileUse() {
  const auto note = [](int fd, std::set<Id>& ids) {
    FileStatus file{};
    if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode)) {
      ids.emplace(file.st_dev, file.st_ino);
    }
  };
  note(STDIN_FILENO, read_);
  note(STDOUT_FILENO, written_);
  note(STDERR_FILENO, written_);
}

void FileUse::read(const std::string& path) {
  FileStatus file{};
  if (stat(path.c_str(), &file) == 0 && !S_ISCHR(file.st_mode)) {
    read_.emplace(file.st_dev, file.st_ino);
  }
}

void FileUse::read(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) read(path);
}

void FileUse::check(const FileStatus& file, const std::string& name) const {
  const Id id(file.st_dev, file.st_ino);
  const bool is_read = read_.contains(id);
  if (!is_read && !written_.contains(id)) return;
  throw Error(Phase::kEvaluate, "file.twice",
              name + (is_read ? " is an input too, but must be another file"
                              : " is another output too, but must be a file "
                                "of its own"));
}

void FileUse::write(const FileStatus& file, const std::string& name) {
  if (S_ISCHR(file.st_mode)) return;
  check(file, name);
  written_.emplace(file.st_dev, file.st_ino);
}

std::vector<std::string> distinct_files(const std::vector<std::string>& paths) {
  std::set<std::pair<dev_t, ino_t>> seen;
  std::vector<std::string> distinct;
  for (const std::string& path : paths) {
    FileStatus file{};
    const bool exists = stat(path.c_str(), &file) == 0;
    if (exists && !seen.emplace(file.st_dev, file.st_ino).second) continue;
    distinct.push_back(path);
  }
  return distinct;
}

}  // namespace hlo::conformance
