#include "conformance/files/descriptor.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdio>
#include <system_error>

#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

std::string text_of(int error) {
  return std::generic_category().message(error);
}

bool has_name(const FileStatus& file, const std::string& path) {
  FileStatus named{};
  return lstat(path.c_str(), &named) == 0 && named.st_dev == file.st_dev &&
         named.st_ino == file.st_ino;
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) close(fd_);
}

void fail_reading(const std::string& name, int error) {
  throw Error(Phase::kParse, "file.read",
              "cannot read " + name + ": " + text_of(error));
}

void fail_writing(const std::string& name, int error) {
  throw Error(Phase::kEvaluate, "file.write",
              "cannot write " + name + ": " + text_of(error));
}

void check_name(const std::string& path) {
  if (path != "-") return;
  throw Error(Phase::kEvaluate, "file.write",
              "what is written is called -, but must be ./- or, for standard "
              "output, /dev/stdout");
}

FileStatus status_of(const Descriptor& file, const std::string& name) {
  FileStatus status{};
  if (fstat(file.get(), &status) != 0) fail_reading(name, errno);
  return status;
}

Descriptor open_locked(const std::string& path) {
  for (;;) {
    Descriptor file(uninterrupted_call([&] {
      return open(path.c_str(),
                  O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                  0666);
    }));
    if (!file) fail_writing(path, errno);
    const FileStatus status = status_of(file, path);
    if (!S_ISREG(status.st_mode)) fail_writing(path, EEXIST);
    if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) fail_writing(path, errno);
      throw Error(Phase::kEvaluate, "file.write",
                  "cannot write " + path + ": another run is writing it");
    }
    // Its owner may have renamed or removed it before it was locked here.
    if (has_name(status, path)) return file;
  }
}

void write_all(const Descriptor& file, std::string_view text,
               const std::string& name) {
  while (!text.empty()) {
    const ssize_t written = uninterrupted_call(
        [&] { return write(file.get(), text.data(), text.size()); });
    if (written < 0) fail_writing(name, errno);
    text.remove_prefix(static_cast<size_t>(written));
  }
}

void sync(const Descriptor& file, const std::string& name) {
  if (uninterrupted_call([&] { return fsync(file.get()); }) != 0) {
    fail_writing(name, errno);
  }
}

void rename_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) fail_writing(to, errno);
}

void sync_folder(const std::string& folder) {
  const Descriptor file(
      open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems cannot do this with folders; the names are there.
  if (file) fsync(file.get());
}

}  // namespace hlo::conformance
