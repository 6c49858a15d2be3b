#include "conformance/files/standard_output.h"

#include <fcntl.h>
#include <stdio_ext.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

#include "conformance/files/descriptor.h"

namespace hlo::conformance {
namespace {

[[noreturn]] void fail_output() {
  // A disk that becomes full takes a part first, which sets no errno; the rest
  // does. Else the number was lost in a library.
  if (errno == 0) std::fflush(stdout);
  const int error = errno == 0 ? EIO : errno;
  // Told once; what is left would fail again at the end.
  __fpurge(stdout);
  std::clearerr(stdout);
  fail_writing("standard output", error);
}

}  // namespace

void say(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
    fail_output();
  }
}

void flush_output() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) fail_output();
}

void complain(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void prepare_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) != -1) continue;
    // Opened the wrong way round, so that its use stays an error. It gets this
    // number, the lowest that is free.
    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace hlo::conformance
