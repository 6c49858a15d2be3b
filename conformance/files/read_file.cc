#include "conformance/files/read_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "conformance/files/descriptor.h"
#include "interpreter/counted.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

[[noreturn]] void fail(const std::string& message) {
  throw Error(Phase::kParse, "file.read", message);
}

/// How many bytes it says that it has; a device could have no end.
size_t stated_size(int fd, const FileStatus& status, const std::string& name) {
  if (S_ISDIR(status.st_mode)) fail_reading(name, EISDIR);
  if (S_ISREG(status.st_mode)) return static_cast<size_t>(status.st_size);
  const bool is_device = S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode);
  if (is_device && isatty(fd) != 1) {
    fail(name + " is a device, but must be a file or a pipe");
  }
  return 0;
}

/// What can be read, up to `most` bytes.
std::string read_some(int fd, const std::string& name, size_t stated,
                      size_t most) {
  constexpr size_t kLeast = size_t{1} << 16U;
  std::string text;
  size_t used = 0;
  while (used < most) {
    if (used == text.size()) {
      // One byte more shows the end of a file that is as long as it says.
      const size_t wanted = std::max({2 * used, stated + 1, kLeast});
      text.resize(std::min(wanted, most));
    }
    const ssize_t got = uninterrupted_call(
        [&] { return read(fd, text.data() + used, text.size() - used); });
    if (got < 0) fail_reading(name, errno);
    if (got == 0) break;
    used += static_cast<size_t>(got);
  }
  text.resize(used);
  return text;
}

Descriptor open_to_read(const std::string& path) {
  Descriptor file(uninterrupted_call(
      [&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC); }));
  if (!file) fail_reading(path, errno);
  return file;
}

}  // namespace

std::string read_rest(const Descriptor& file, const std::string& name,
                      size_t limit) {
  const size_t stated = stated_size(file.get(), status_of(file, name), name);
  std::string text;
  if (stated <= limit) text = read_some(file.get(), name, stated, limit + 1);
  if (stated <= limit && text.size() <= limit) return text;
  fail(name + " is larger than " +
       counted(static_cast<int64_t>(limit), "byte") + ", which is the limit");
}

std::string read_file(const std::string& path, size_t limit) {
  return read_rest(open_to_read(path), path, limit);
}

std::string read_beginning(const std::string& path, size_t size) {
  const Descriptor file = open_to_read(path);
  const size_t stated = stated_size(file.get(), status_of(file, path), path);
  return read_some(file.get(), path, stated, size);
}

std::string read_standard_input() {
  const Descriptor file(dup(STDIN_FILENO));
  if (!file) fail_reading("standard input", errno);
  return read_rest(file, "standard input", kMaxTextBytes);
}

std::string read_input(const std::string& name) {
  if (name != "-") return read_file(name);
  static const std::string text = read_standard_input();
  return text;
}

}  // namespace hlo::conformance
