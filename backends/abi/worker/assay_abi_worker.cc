#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "backends/abi/worker/library.h"
#include "backends/abi/worker/served_messages.h"
#include "backends/process/frame.h"

// assay_abi_worker LIB.so: the library as a worker of spec/protocol.md.
namespace {

using hlo::abi::Library;
using hlo::abi::ServedCase;
using hlo::process::Answer;
using hlo::process::Frame;
using hlo::process::FrameReader;

/// The two ends of the protocol, under numbers that a library does not know:
/// it reads nothing from standard input, and what it prints is for people.
class Pipes {
 public:
  Pipes() : in_(moved(STDIN_FILENO)), out_(moved(STDOUT_FILENO)) {
    std::array<int, 2> nothing{};  // a pipe that ends at once
    if (pipe2(nothing.data(), O_CLOEXEC) != 0 ||
        dup2(nothing[0], STDIN_FILENO) < 0 ||
        dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
      fail("cannot set its standard input and output apart");
    }
    for (const int end : nothing) close(end);
    // Words of a library that dies shall not be lost.
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  }

  /// Nothing where the host has closed its end between two frames.
  std::optional<Frame> receive() const {
    constexpr uint64_t kChunk = uint64_t{1} << 20U;
    FrameReader reader(hlo::process::kMostBody);
    std::string chunk;
    while (!reader.is_complete()) {
      chunk.resize(std::min(reader.missing(), kChunk));
      const ssize_t got = read(in_, chunk.data(), chunk.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("cannot read");
      if (got == 0 && reader.is_empty()) return std::nullopt;
      if (got == 0) throw std::runtime_error("was sent half a frame");
      reader.take(std::string_view(chunk).substr(0, static_cast<size_t>(got)));
    }
    return reader.frame();
  }

  void send(const Frame& frame) const {
    const std::string bytes = to_bytes(frame);
    for (std::string_view left = bytes; !left.empty();) {
      const ssize_t sent = write(out_, left.data(), left.size());
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0) fail("cannot write");
      left.remove_prefix(static_cast<size_t>(sent));
    }
  }

 private:
  [[noreturn]] static void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
  }

  static int moved(int fd) {
    constexpr int kAboveThem = 10;
    const int high = fcntl(fd, F_DUPFD_CLOEXEC, kAboveThem);
    if (high < 0) fail("cannot set its standard input and output apart");
    return high;
  }

  int in_;
  int out_;
};

/// A library, and how the host wants its answers.
struct Service {
  Library library;
  bool in_parts;
};

/// Nothing where the library is none, which the host is told.
std::optional<Service> introduce(const std::string& path, const Pipes& pipes) {
  const std::optional<Frame> greeting = pipes.receive();
  if (!greeting) return std::nullopt;
  const bool in_parts = hlo::abi::read_greeting(*greeting);
  try {
    const Library library(path);
    hlo::process::Hello hello = library.hello();
    hello.answers_in_parts = in_parts;
    pipes.send(hlo::abi::hello_answer(hello));
    return Service{library, in_parts};
  } catch (const hlo::abi::BadLibrary& bad) {
    pipes.send(hlo::abi::hello_refusal(bad.what()));
    return std::nullopt;
  }
}

void answer(std::span<const ServedCase> cases, const Library& library,
            const Pipes& pipes) {
  std::vector<Answer> answers;
  answers.reserve(cases.size());
  for (const ServedCase& one : cases) answers.push_back(library.run(one));
  pipes.send(hlo::abi::answers_frame(cases, answers));
}

void serve(const std::string& path) {
  const Pipes pipes;
  const std::optional<Service> service = introduce(path, pipes);
  if (!service) return;
  while (const std::optional<Frame> frame = pipes.receive()) {
    const std::vector<ServedCase> cases = hlo::abi::read_cases(*frame);
    const size_t part = service->in_parts ? 1 : cases.size();
    for (size_t k = 0; k < cases.size(); k += part) {
      answer(std::span(cases).subspan(k, part), service->library, pipes);
    }
    if (cases.empty()) pipes.send(hlo::abi::answers_frame({}, {}));
  }
  service->library.end();
}

/// Whether it is read makes no difference any more.
void say(const std::string& words) {
  const std::string line = words + "\n";
  [[maybe_unused]] const ssize_t sent =
      write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    say("usage: assay_abi_worker LIB.so");
    return 2;
  }
  try {
    serve(words[1]);
  } catch (const std::exception& error) {
    // The library may have broken anything, so that none of its own ends.
    say(error.what());
    _exit(1);
  }
  return 0;
}
