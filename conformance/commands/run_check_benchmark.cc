#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "conformance/files/output_file.h"
#include "conformance/files/read_file.h"

// How many small cases `assay check` judges in a second of its own processor
// time, with one job and the events written: one time with a backend inside of
// it, and one time with a worker. What the worker itself takes does not count.

namespace {

constexpr int kCases = 20000;
constexpr int kElements = 8;

std::string bits(const std::array<float, kElements>& values) {
  std::string text = fmt::format("f32[{}]", kElements);
  for (const float value : values) {
    text += fmt::format(" {:08x}", std::bit_cast<uint32_t>(value));
  }
  return text;
}

/// The sum, the difference or the product of small integers.
std::string case_line(int number) {
  constexpr std::array kOperations = {"add", "subtract", "multiply"};
  const auto which = static_cast<size_t>(number) % kOperations.size();
  std::array<float, kElements> x{};
  std::array<float, kElements> y{};
  std::array<float, kElements> r{};
  for (size_t i = 0; i < r.size(); ++i) {
    x.at(i) = static_cast<float>(number % 1000 + static_cast<int>(i));
    y.at(i) = static_cast<float>(static_cast<int>(i) - 3);
    const std::array results = {x.at(i) + y.at(i), x.at(i) - y.at(i),
                                x.at(i) * y.at(i)};
    r.at(i) = results.at(which);
  }
  const char* const op = kOperations.at(which);
  return fmt::format(
      R"({{"id":"{0}/f32/small_{1}","statement":"of small integers","why":)"
      R"(["Type"],"hlo":"HloModule m\n\nENTRY main {{\n  p0 = f32[{2}] )"
      R"(parameter(0)\n  p1 = f32[{2}] parameter(1)\n  ROOT r = f32[{2}] )"
      R"({0}(p0, p1)\n}}\n","inputs":["{3}","{4}"],"expect":[{{"bits":"{5}"}}],)"
      R"("source":"exact"}})"
      "\n",
      op, number, kElements, bits(x), bits(y), bits(r));
}

/// A file of such cases, there as long as the program runs.
const std::string& case_file() {
  static const struct File {
    std::string path =
        fmt::format("/tmp/run_check_benchmark.{}.jsonl", getpid());

    File() {
      std::string text =
          R"({"generator":"-","command":"-","notes":{"Type":"small )"
          R"(arrays"},"do_not_edit":true})"
          "\n";
      for (int i = 0; i < kCases; ++i) text += case_line(i);
      hlo::conformance::write_file(path, text);
    }

    ~File() { unlink(path.c_str()); }
  } file;

  return file.path;
}

/// The processor time of the process that has ended, without its children's.
double own_seconds(pid_t process) {
  const std::string text =
      hlo::conformance::read_file(fmt::format("/proc/{}/stat", process));
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  constexpr int kBefore = 11;  // fields between the name and utime
  std::string skipped;
  for (int i = 0; i < kBefore; ++i) fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// Judges the cases; the time it took, or nothing where it went wrong.
double check(const std::string& backend) {
  const std::string events = case_file() + ".events";
  std::array<std::string, 9> words = {ASSAY_PROGRAM, "check", case_file(),
                                      "-b",          backend, "-j",
                                      "1",           "-o",    events};
  std::array<char*, words.size() + 1> arguments{};
  for (size_t i = 0; i < words.size(); ++i) {
    arguments.at(i) = words.at(i).data();
  }
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
                                   O_WRONLY, 0);
  pid_t process = -1;
  const int failed = posix_spawn(&process, ASSAY_PROGRAM, &actions, nullptr,
                                 arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return 0;
  siginfo_t end{};
  waitid(P_PID, static_cast<id_t>(process), &end, WEXITED | WNOWAIT);
  const double seconds = own_seconds(process);
  int status = 0;
  waitpid(process, &status, 0);
  unlink(events.c_str());
  return status == 0 ? seconds : 0;
}

void measure(benchmark::State& state, const std::string& backend) {
  for (auto unused : state) {
    const double seconds = check(backend);
    if (seconds <= 0) {
      state.SkipWithError("assay check did not find that all cases conform");
      return;
    }
    state.SetIterationTime(seconds);
  }
  state.SetItemsProcessed(state.iterations() * kCases);
}

void in_process(benchmark::State& state) { measure(state, "interpreter:"); }

void worker(benchmark::State& state) {
  measure(state, "process:python3 " ASSAY_SOURCE_DIR
                 "/backends/process/examples/worker.py");
}

void library(benchmark::State& state) { measure(state, "abi:" ASSAY_EXAMPLE); }

BENCHMARK(in_process)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(worker)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(library)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
