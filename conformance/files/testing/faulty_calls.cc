// A library for LD_PRELOAD under which calls of files named like $FAULTY_FILE
// go wrong: $FAULTY_CALL (read, write, fsync, rename) fails with $FAULTY_ERRNO
// after $FAULTY_AFTER calls that are well; or reads and writes handle at most
// $FAULTY_SIZE bytes, and every second one is interrupted.
#include <dlfcn.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

std::string_view setting(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

int number(const char* name) {
  const std::string_view text = setting(name);
  return text.empty() ? 0 : std::atoi(text.data());
}

bool is_meant(std::string_view path) {
  const std::string_view file = setting("FAULTY_FILE");
  return !file.empty() && path.find(file) != std::string_view::npos;
}

std::string path_of(int fd) {
  std::array<char, 4096> path{};
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  const ssize_t size = readlink(link.c_str(), path.data(), path.size());
  return {path.data(), static_cast<size_t>(std::max(size, ssize_t{0}))};
}

/// Whether this call fails, with errno set.
bool fails(std::string_view call, std::string_view path) {
  static std::atomic<int> calls = 0;
  if (setting("FAULTY_CALL") != call || !is_meant(path)) return false;
  if (calls++ < number("FAULTY_AFTER")) return false;
  errno = number("FAULTY_ERRNO");
  return true;
}

/// How many bytes this call handles; none where it is interrupted.
size_t portion(int fd, size_t size) {
  static std::atomic<int> calls = 0;
  const int most = number("FAULTY_SIZE");
  if (most == 0 || !is_meant(path_of(fd))) return size;
  errno = EINTR;
  return calls++ % 2 == 0 ? 0 : std::min(size, static_cast<size_t>(most));
}

template <typename Function>
Function* next(const char* name) {
  return std::bit_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t read(int fd, void* buffer, size_t size) {
  static auto* const real = next<ssize_t(int, void*, size_t)>("read");
  if (fails("read", path_of(fd))) return -1;
  const size_t part = portion(fd, size);
  return part == 0 && size > 0 ? -1 : real(fd, buffer, part);
}

ssize_t write(int fd, const void* buffer, size_t size) {
  static auto* const real = next<ssize_t(int, const void*, size_t)>("write");
  if (fails("write", path_of(fd))) return -1;
  const size_t part = portion(fd, size);
  return part == 0 && size > 0 ? -1 : real(fd, buffer, part);
}

ssize_t writev(int fd, const iovec* parts, int count) {
  static auto* const real = next<ssize_t(int, const iovec*, int)>("writev");
  return fails("write", path_of(fd)) ? -1 : real(fd, parts, count);
}

int fsync(int fd) {
  static auto* const real = next<int(int)>("fsync");
  return fails("fsync", path_of(fd)) ? -1 : real(fd);
}

int rename(const char* from, const char* to) {
  static auto* const real = next<int(const char*, const char*)>("rename");
  return fails("rename", to) ? -1 : real(from, to);
}
}
