#include "backends/cpu/cpu_options.h"

#include <charconv>
#include <set>
#include <string>
#include <system_error>

#include "interpreter/error.h"

namespace hlo::cpu {
namespace {

constexpr std::string_view kPrefix = "cpu:?";

[[noreturn]] void wrong(std::string_view uri, const std::string& what) {
  throw Error(Phase::kParse, "usage.backend",
              "the backend \"" + std::string(uri) + "\" " + what +
                  ", but behind cpu:? must stand fast-math=on or off, "
                  "threads=N (1 to 64), or both with & between");
}

/// 0 where it is no number from 1 to 64.
int thread_count(std::string_view text) {
  constexpr int kMost = 64;
  int count = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, count);
  const bool is_count = error == std::errc() && last == end;
  return is_count && count >= 1 && count <= kMost ? count : 0;
}

/// Whether the key is known and takes the choice.
bool set(Options& options, std::string_view key, std::string_view choice) {
  if (key == "threads") {
    options.threads = thread_count(choice);
    return options.threads > 0;
  }
  if (key != "fast-math" || (choice != "on" && choice != "off")) return false;
  options.numerics = choice == "on" ? Numerics::kFast : Numerics::kTight;
  return true;
}

}  // namespace

Options options_of(std::string_view uri) {
  Options options;
  std::set<std::string_view> seen;
  std::string_view rest = uri.substr(kPrefix.size());
  while (true) {
    const std::string_view option = rest.substr(0, rest.find('&'));
    const std::string_view key = option.substr(0, option.find('='));
    const bool has_choice = key.size() < option.size();
    if (!has_choice || !set(options, key, option.substr(key.size() + 1))) {
      wrong(uri, "has the option \"" + std::string(option) + "\"");
    }
    if (!seen.insert(key).second) {
      wrong(uri, "has " + std::string(key) + " twice");
    }
    if (option.size() == rest.size()) return options;
    rest.remove_prefix(option.size() + 1);
  }
}

}  // namespace hlo::cpu
