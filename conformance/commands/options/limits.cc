#include "conformance/commands/options/limits.h"

#include <algorithm>

#include "conformance/files/memory_limit.h"
#include "interpreter/nearest.h"
#include "interpreter/run/budget.h"

namespace hlo::conformance {
namespace {

constexpr double kYear = 366.0 * 24 * 3600;

}  // namespace

Complaint one_of(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return [words, all](const std::string& text) -> std::string {
    if (std::ranges::find(words, text) != words.end()) return {};
    return "it is " + shortened(text) + suggestion(text, words) +
           ", but must be one of " + all;
  };
}

void add_max_memory(Command& command) {
  constexpr uint64_t kMost = uint64_t{1} << 60;
  const auto limit = [](uint64_t bytes) {
    limit_memory(static_cast<int64_t>(bytes));
  };
  command
      .add_bytes(
          "--max-memory", limit,
          "bytes that arrays may take at the same time, as in 4GB; three "
          "quarters of the machine's without")
      .check(number(uint64_t{1}, kMost));
}

void add_limits(Command& command, int64_t& most_work) {
  add_max_memory(command);
  command
      .add_option("--max-work", most_work,
                  "units of work after which a program is stopped, of about a "
                  "nanosecond; 2,000,000,000 without, and 1,024 more for each "
                  "element of its inputs")
      .check(number(int64_t{1}, Budget::kEndless));
}

void add_shrink_limits(Command& command, int64_t& candidates, double& seconds) {
  command
      .add_option("--candidates", candidates,
                  "programs that the backend is asked about at most, for "
                  "each that is shrunk")
      .check(number(int64_t{1}, int64_t{1'000'000'000}))
      .capture_default_str();
  command
      .add_option("--shrink-time", seconds,
                  "seconds after which shrinking stops, of all programs")
      .check(number(0.001, kYear))
      .capture_default_str();
}

void add_timeout(Command& command, double& seconds) {
  command
      .add_option("--timeout", seconds,
                  "seconds after which a backend that has not answered counts "
                  "as crashed")
      .check(number(0.001, kYear))
      .capture_default_str();
}

}  // namespace hlo::conformance
