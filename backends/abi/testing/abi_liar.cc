#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>

#include "backends/abi/assay_backend.h"

// A library that breaks the rules in the way that ASSAY_ABI_FAULT names, at
// the start or in each case whose program says FAULT; "named" is the way that
// the program is called by, as FAULT_exit. It answers others with what it was
// given, and all of them where FAULTLESS is in the environment.
namespace {

std::string fault() {
  const char* const text = std::getenv("ASSAY_ABI_FAULT");
  return text == nullptr ? "" : text;
}

char* bytes_of(const AssayResult& result) {
  return static_cast<char*>(result.bytes);
}

int copy(const AssayCase& one) {
  for (size_t i = 0; i < one.result_count; ++i) {
    std::memcpy(one.results[i]->bytes, one.inputs[i]->bytes,
                one.results[i]->size);
  }
  return ASSAY_DONE;
}

int beyond(const AssayCase& one) {
  bytes_of(*one.results[0])[one.results[0]->size] = '\x5a';
  return copy(one);
}

int far_beyond(const AssayCase& one) {
  std::memset(one.results[0]->bytes, 0x5a, one.results[0]->size + 40);
  return ASSAY_DONE;
}

int before(const AssayCase& one) {
  bytes_of(*one.results[0])[-1] = '\x5a';
  return copy(one);
}

int input(const AssayCase& one) {
  static_cast<char*>(const_cast<void*>(one.inputs[0]->bytes))[1] ^= 1;
  return copy(one);
}

int beyond_message(const AssayCase& one) {
  std::memset(one.message->text, 'x', one.message->size + 1);
  return ASSAY_FAILED;
}

int endless_message(const AssayCase& one) {
  std::memset(one.message->text, 'x', one.message->size);
  return ASSAY_FAILED;
}

int say(const AssayCase& one, int status) {
  std::snprintf(one.message->text, one.message->size, "say \xff %d", status);
  return status;
}

int print(const AssayCase& one) {
  std::puts("ASSY hello");
  std::fflush(stdout);
  return copy(one);
}

int print_and_crash(const AssayCase&) {
  std::puts("out of luck");
  std::abort();
}

int read_input(const AssayCase& one) {
  char byte = 0;
  return read(STDIN_FILENO, &byte, 1) == 0 ? copy(one) : ASSAY_FAILED;
}

void sleep_long() { std::this_thread::sleep_for(std::chrono::seconds(1000)); }

int close_all(const AssayCase& one) {
  for (int fd = 0; fd < 64; ++fd) close(fd);
  return copy(one);
}

int late(const AssayCase& one) {
  std::this_thread::sleep_for(std::chrono::seconds(3));
  return copy(one);
}

/// One of them is the pipe for answers.
void write_everywhere(const std::string& bytes) {
  for (int fd = 3; fd < 64; ++fd) {
    [[maybe_unused]] const ssize_t sent = write(fd, bytes.data(), bytes.size());
  }
}

int garbage(const AssayCase& one) {
  write_everywhere("Hello, world\nHello, world\n");
  return copy(one);
}

int half_frame(const AssayCase&) {
  write_everywhere(std::string("ASSY\x20\0\0\0\0\0\0\0\0\0\0\0{", 17));
  std::_Exit(0);
}

int huge_frame(const AssayCase& one) {
  write_everywhere(std::string("ASSY\2\0\0\0\0\0\0\0\0\0\0\x10", 16));
  return copy(one);
}

int flood(int fd) {
  const std::string many(1 << 16, 'x');
  while (write(fd, many.data(), many.size()) > 0) {
  }
  return ASSAY_FAILED;
}

/// The child holds all pipes.
int fork_and_exit(const AssayCase&) {
  if (fork() == 0) std::this_thread::sleep_for(std::chrono::seconds(1000));
  std::_Exit(3);
}

int ignore_sigterm(const AssayCase& one) {
  std::signal(SIGTERM, SIG_IGN);
  sleep_long();
  return copy(one);
}

using Fault = int (*)(const AssayCase&);

const std::map<std::string, Fault>& faults() {
  static const std::map<std::string, Fault> all = {
      {"beyond", beyond},
      {"far_beyond", far_beyond},
      {"before", before},
      {"input", input},
      {"beyond_message", beyond_message},
      {"endless_message", endless_message},
      {"unsupported", [](const AssayCase& one) { return say(one, 1); }},
      {"rejected", [](const AssayCase& one) { return say(one, 2); }},
      {"failed", [](const AssayCase& one) { return say(one, 3); }},
      {"reasonless", [](const AssayCase&) -> int { return ASSAY_FAILED; }},
      {"status", [](const AssayCase&) { return -1; }},
      {"exit", [](const AssayCase&) -> int { std::exit(7); }},
      {"abort", [](const AssayCase&) -> int { std::abort(); }},
      {"throw",
       [](const AssayCase&) -> int { throw std::runtime_error("no luck"); }},
      {"print", print},
      {"print_and_crash", print_and_crash},
      {"read", read_input},
      {"sleep",
       [](const AssayCase& one) {
         sleep_long();
         return copy(one);
       }},
      {"close", close_all},
      {"late", late},
      {"garbage", garbage},
      {"half", half_frame},
      {"huge", huge_frame},
      {"flood_output", [](const AssayCase&) { return flood(STDOUT_FILENO); }},
      {"flood_errors", [](const AssayCase&) { return flood(STDERR_FILENO); }},
      {"fork", fork_and_exit},
      {"ignore_sigterm", ignore_sigterm},
  };
  return all;
}

/// The one that a case asks for; empty without any.
std::string fault_of(const std::string& program) {
  const size_t at = program.find("FAULT");
  if (at == std::string::npos || std::getenv("FAULTLESS") != nullptr) return "";
  if (fault() != "named") return fault();
  const size_t begin = at + std::strlen("FAULT_");
  return program.substr(begin, program.find_first_of(", \n", begin) - begin);
}

int run(void* state, const AssayCase* one);

AssayBackend backend = {sizeof(AssayBackend),
                        ASSAY_BACKEND_VERSION,
                        ASSAY_PROGRAM_HLO,
                        ASSAY_LAYOUTS_DENSE,
                        0,
                        "liar",
                        nullptr,
                        nullptr,
                        run,
                        nullptr};

bool starts_with(const char* text, const char* start) {
  return std::strncmp(text, start, std::strlen(start)) == 0;
}

bool is_aligned(const void* bytes) {
  return reinterpret_cast<uintptr_t>(bytes) % 64 == 0;
}

/// Whether the case is what the header says, in the language and with the
/// layouts that this library wants.
bool is_as_promised(const AssayCase& one) {
  const bool is_explicit = backend.layouts == ASSAY_LAYOUTS_EXPLICIT;
  const bool is_hlo = backend.program == ASSAY_PROGRAM_HLO;
  const AssayInput& x = *one.inputs[0];
  const AssayResult& r = *one.results[0];
  const auto* const filled = static_cast<const unsigned char*>(r.bytes);
  return one.struct_size == sizeof(AssayCase) &&
         x.struct_size == sizeof(AssayInput) &&
         r.struct_size == sizeof(AssayResult) &&
         one.message->struct_size == sizeof(AssayMessage) &&
         one.input_count == 1 && one.result_count == 1 &&
         one.program_size == std::strlen(one.program) &&
         starts_with(one.program, is_hlo ? "HloModule" : "module") &&
         starts_with(x.shape, is_explicit ? "f32[2]{0:T(4)}" : "f32[2]") &&
         std::strcmp(x.shape, r.shape) == 0 && is_aligned(x.bytes) &&
         is_aligned(r.bytes) && x.size == (is_explicit ? 16 : 8) &&
         r.size == x.size && filled[0] == 0xa5 && filled[r.size - 1] == 0xa5 &&
         *one.message->text == '\0' && one.message->size >= 100;
}

int run(void*, const AssayCase* one) {
  if (!is_as_promised(*one)) return say(*one, ASSAY_FAILED);
  const auto found = faults().find(fault_of(one->program));
  return found == faults().end() ? copy(*one) : found->second(*one);
}

/// Leaves a folder of the name that is the state.
void leave_folder(void* state) {
  std::filesystem::create_directory(static_cast<const char*>(state));
}

void change_backend(const std::string& name, const AssayHost& host) {
  if (name == "version") backend.version = host.version + 1;
  const size_t first = offsetof(AssayBackend, tags);  // as it was at first
  if (name == "small") backend.struct_size = first - 1;
  if (name == "first") {
    backend.struct_size = first;
    backend.tags = reinterpret_cast<const char*>(1);  // is not looked at
  }
  if (name == "large") backend.struct_size += 800;
  if (name == "program") backend.program = 2;
  if (name == "layouts") backend.layouts = 7;
  if (name == "devices") backend.devices = 2;
  if (name == "nameless") backend.name = nullptr;
  if (name == "runless") backend.run = nullptr;
  if (name == "explicit") backend.layouts = ASSAY_LAYOUTS_EXPLICIT;
  if (name == "stablehlo") backend.program = ASSAY_PROGRAM_STABLEHLO;
  if (char* const path = std::getenv("ASSAY_ABI_END"); path != nullptr) {
    backend.state = path;
    backend.end = leave_folder;
  }
}

}  // namespace

const AssayBackend* assay_backend(const AssayHost* host) {
  const std::string name = fault();
  if (name == "start_exit") std::exit(5);
  if (name == "start_sleep") sleep_long();
  if (name == "start_throw") throw std::runtime_error("no device");
  if (name == "start_null") return nullptr;
  if (name == "start_message") {
    std::snprintf(host->message->text, host->message->size, "no device");
    return nullptr;
  }
  change_backend(name, *host);
  return &backend;
}
