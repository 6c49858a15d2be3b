#pragma once

#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace hlo::conformance {

// What the units of this folder share.

/// What the system knows of a file.
using FileStatus = struct stat;

/// An open file, closed at the end; none where it is negative.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}

  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  int get() const { return fd_; }

  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

/// Throws Error "file.read" or "file.write" with what errno says.
[[noreturn]] void fail_reading(const std::string& name, int error);
[[noreturn]] void fail_writing(const std::string& name, int error);

/// Error "file.write" for "-", which other programs take for standard output.
void check_name(const std::string& path);

/// What a call of the system returns that no signal has interrupted.
template <typename Call>
auto uninterrupted_call(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// Error "file.read" with this name.
FileStatus status_of(const Descriptor& file, const std::string& name);

/// What can be read from where the file stands to its end. Error "file.read",
/// also for more than `limit` bytes.
std::string read_rest(const Descriptor& file, const std::string& name,
                      size_t limit);

/// A new file, or one that is left of an earlier run, locked against other
/// runs for as long as it is open. Error "file.write".
Descriptor open_locked(const std::string& path);

// Each throws Error "file.write" where it cannot be done.
void write_all(const Descriptor& file, std::string_view text,
               const std::string& name);
void sync(const Descriptor& file, const std::string& name);
void rename_file(const std::string& from, const std::string& to);
void sync_folder(const std::string& folder);

}  // namespace hlo::conformance
