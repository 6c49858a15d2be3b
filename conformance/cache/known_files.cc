#include "conformance/cache/known_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "conformance/files/read_file.h"
#include "conformance/literals/content_hash.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

constexpr int64_t kLarge = int64_t{1} << 29U;  // takes seconds to read

}  // namespace

bool KnownFiles::mark(const std::string& path, Mark& mark) {
  struct stat status {};

  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return false;
  }
  mark = {.device = status.st_dev,
          .number = status.st_ino,
          .size = status.st_size,
          .changed_seconds = status.st_ctim.tv_sec,
          .changed_nanoseconds = status.st_ctim.tv_nsec};
  return true;
}

void KnownFiles::add(const std::filesystem::path& path) {
  Mark found;
  if (mark(path.string(), found)) files_.try_emplace(path.string(), found);
}

std::string KnownFiles::contents() const {
  std::string text;
  for (const auto& [path, found] : files_) {
    const std::string content =
        found.size > kLarge
            ? fmt::format("{} {} {} {} {}", found.device, found.number,
                          found.size, found.changed_seconds,
                          found.changed_nanoseconds)
            : sha256(read_file(path));
    text += fmt::format("{} {} {}\n", content, path.size(), path);
  }
  return text;
}

bool KnownFiles::are_unchanged() const {
  for (const auto& [path, found] : files_) {
    Mark now;
    if (!mark(path, now) || now != found) return false;
  }
  return true;
}

}  // namespace hlo::conformance
