#include "conformance/files/standard_output.h"

#include <fcntl.h>
#include <stdio_ext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <string>
#include <utility>

#include "conformance/files/descriptor.h"
#include "conformance/files/printable.h"
#include "conformance/files/terminal.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

/// The line at the bottom of the terminal. What is printed meanwhile is printed
/// under its mutex.
struct StatusLine {
  std::mutex mutex;
  size_t shown = 0;  // so many characters
  bool is_over = false;
  bool in_line = false;  // what was printed last has no end of line yet

  static void write(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
  }

  void clear() {
    if (shown == 0) return;
    write("\r" + std::string(shown, ' ') + "\r");
    shown = 0;
  }

  /// Before that text is printed.
  void begin(std::string_view text) {
    clear();
    if (!text.empty()) in_line = !text.ends_with('\n');
  }
};

StatusLine& status_line() {
  static StatusLine the_only;
  return the_only;
}

/// Where say() prints, if not to standard output.
std::function<void(std::string_view)>& output_sink() {
  static std::function<void(std::string_view)> the_only;
  return the_only;
}

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

void redirect_output(std::function<void(std::string_view)> sink) {
  output_sink() = std::move(sink);
}

void say(std::string_view text) {
  if (output_sink()) return output_sink()(text);
  StatusLine& status = status_line();
  const std::lock_guard lock(status.mutex);
  status.begin(text);
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
  StatusLine& status = status_line();
  const std::lock_guard lock(status.mutex);
  status.begin(text);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void show_status(std::string_view text) {
  const auto width = status_width();
  if (!width || *width < 2) return;
  // The last column stays free: some terminals go to the next line there.
  std::string line = printable(std::string(text));
  const auto most = static_cast<size_t>(*width - 1);
  if (line.size() > most) line = shortened(line, most > 3 ? most - 3 : 0);
  line.resize(std::min(line.size(), most));
  StatusLine& status = status_line();
  const std::lock_guard lock(status.mutex);
  if (status.is_over || status.in_line) return;
  const size_t before = std::exchange(status.shown, line.size());
  if (before > line.size()) line.append(before - line.size(), ' ');
  StatusLine::write("\r" + line);
}

void clear_status() {
  StatusLine& status = status_line();
  const std::lock_guard lock(status.mutex);
  status.clear();
}

void end_status() {
  StatusLine& status = status_line();
  const std::lock_guard lock(status.mutex);
  status.clear();
  status.is_over = true;
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
