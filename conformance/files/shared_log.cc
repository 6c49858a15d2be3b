#include "conformance/files/shared_log.h"

#include <fcntl.h>

#include <filesystem>
#include <system_error>

#include "conformance/files/read_file.h"
#include "conformance/files/stop.h"

namespace hlo::conformance {
namespace {

/// No link is followed, and no pipe waited for.
Descriptor opened(const std::string& path, int how) {
  constexpr mode_t kMode = 0666;
  return Descriptor(uninterrupted_call([&] {
    return open(path.c_str(), how | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, kMode);
  }));
}

}  // namespace

SharedLog::SharedLog(const std::string& path) : path_(path) {
  std::error_code ignored;  // opening the file tells more
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(),
                                      ignored);
  file_ = opened(path, O_RDWR | O_APPEND | O_CREAT);
  if (!file_) {
    write_error_ = errno;
    file_ = opened(path, O_RDONLY);
  }
  if (!file_) fail_writing(path, write_error_);
  if (!S_ISREG(status_of(file_, path).st_mode)) fail_writing(path, EEXIST);
}

std::string SharedLog::read() const {
  return read_rest(file_, path_, kMaxTextBytes);
}

void SharedLog::append(std::string_view text) {
  if (write_error_ != 0) fail_writing(path_, write_error_);
  const auto lock = uninterrupted();
  write_all(file_, text, path_);
}

}  // namespace hlo::conformance
