#include "conformance/files/file_use.h"

#include <unistd.h>

#include <set>

#include "interpreter/error.h"

namespace hlo::conformance {

FileUse::FileUse() {
  const auto note_open = [](int fd, Files& files) {
    FileStatus file{};
    if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode)) note(files, file, "");
  };
  note_open(STDIN_FILENO, read_);
  note_open(STDOUT_FILENO, written_);
  note_open(STDERR_FILENO, written_);
}

void FileUse::note(Files& files, const FileStatus& file,
                   const std::string& path) {
  const auto [found, is_new] =
      files.try_emplace({file.st_dev, file.st_ino}, path);
  const bool is_open = found->second.empty();
  if (!is_new && !is_open) found->second = path;
}

void FileUse::read(const std::string& path) {
  FileStatus file{};
  if (stat(path.c_str(), &file) == 0 && !S_ISCHR(file.st_mode)) {
    note(read_, file, path);
  }
}

void FileUse::read(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) read(path);
}

bool FileUse::has(const Files& files, const Id& id) {
  const auto found = files.find(id);
  if (found == files.end()) return false;
  const std::string& path = found->second;
  FileStatus now{};
  return path.empty() ||
         (stat(path.c_str(), &now) == 0 && Id(now.st_dev, now.st_ino) == id);
}

void FileUse::check(const FileStatus& file, const std::string& name) const {
  const Id id(file.st_dev, file.st_ino);
  const bool is_read = has(read_, id);
  if (!is_read && !has(written_, id)) return;
  throw Error(Phase::kEvaluate, "file.twice",
              name + (is_read ? " is an input too, but must be another file"
                              : " is another output too, but must be a file "
                                "of its own"));
}

void FileUse::write(const FileStatus& file, const std::string& path) {
  if (S_ISCHR(file.st_mode)) return;
  check(file, path);
  note(written_, file, path);
}

void FileUse::write_open(const FileStatus& file, const std::string& name) {
  if (S_ISCHR(file.st_mode)) return;
  check(file, name);
  note(written_, file, "");
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
