#include "conformance/files/process/peak_memory.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string>
#include <system_error>

#include "conformance/files/read_file.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

/// The number behind blanks at the beginning of a text.
template <typename Number>
std::optional<Number> leading_number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  Number number{};
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

/// Empty where the process has ended meanwhile.
std::string text_of(const std::filesystem::path& file) {
  try {
    return read_file(file.string());
  } catch (const Error&) {
    return {};
  }
}

bool is_number(const std::string& name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<int64_t> peak_in_status(std::string_view status) {
  constexpr std::string_view kName = "\nVmHWM:";
  constexpr int64_t kUnit = 1024;
  constexpr int64_t kMost = int64_t{1} << 50;
  const size_t at = status.find(kName);
  if (at == std::string_view::npos) return std::nullopt;
  const auto number = leading_number<int64_t>(status.substr(at + kName.size()));
  if (!number || *number < 0 || *number > kMost) return std::nullopt;
  return *number * kUnit;
}

std::optional<int> group_in_stat(std::string_view stat) {
  // "PID (name) state parent group ..."
  constexpr std::string_view kBeforeParent = ") S ";
  const size_t end = stat.rfind(')');
  if (end == std::string_view::npos) return std::nullopt;
  stat.remove_prefix(std::min(end + kBeforeParent.size(), stat.size()));
  const size_t space = stat.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  return leading_number<int>(stat.substr(space));
}

std::optional<int64_t> peak_memory() {
  return peak_in_status(text_of("/proc/self/status"));
}

std::optional<int64_t> peak_memory_of_group(int group) {
  std::optional<int64_t> sum;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end;
       !error && entry != end; entry.increment(error)) {
    const std::filesystem::path& folder = entry->path();
    if (!is_number(folder.filename().string())) continue;
    if (group_in_stat(text_of(folder / "stat")) != group) continue;
    const auto peak = peak_in_status(text_of(folder / "status"));
    if (peak) sum = sum.value_or(0) + *peak;
  }
  return sum;
}

}  // namespace hlo::conformance
