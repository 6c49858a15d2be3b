#include "backends/tpu/tpu_options.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <span>

#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo::tpu {
namespace {

constexpr std::string_view kPrefix = "tpu:";

/// A key, its choices, the first of which is the default, and what a choice
/// sets.
struct Key {
  std::string_view name;
  std::span<const std::string_view> choices;
  void (*set)(Options&, size_t choice);
};

/// In the order of MatrixMode.
constexpr std::array<std::string_view, 5> kMatrix = {"exact", "bf16", "bf16x3",
                                                     "bf16x6", "bf16x9"};

constexpr std::array<Key, 1> kKeys = {
    {{"matrix", kMatrix, [](Options& options, size_t choice) {
        options.matrix = static_cast<MatrixMode>(choice);
      }}}};

std::string joined(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    text += (text.empty() ? "" : ", ") + std::string(word);
  }
  return text;
}

[[noreturn]] void wrong(std::string_view uri, const std::string& what) {
  std::string form;
  for (const Key& key : kKeys) {
    form += (form.empty() ? "" : ", ") + std::string(key.name) + "=CHOICE (" +
            joined(key.choices) + ")";
  }
  throw Error(Phase::kParse, "usage.backend",
              "the backend \"" + shortened(uri) + "\" " + what +
                  ", but it must be tpu: or tpu:?OPTION&OPTION..., with " +
                  form);
}

/// Reads KEY=CHOICE.
void read(std::string_view uri, std::string_view option, Options& options,
          std::set<std::string_view>& seen) {
  const std::string_view name = option.substr(0, option.find('='));
  const auto* const key = std::ranges::find(kKeys, name, &Key::name);
  if (key == kKeys.end() || name.size() == option.size()) {
    wrong(uri, "has the option \"" + shortened(option) + "\"");
  }
  if (!seen.insert(name).second) {
    wrong(uri, "has " + std::string(name) + " twice");
  }
  const std::string_view choice = option.substr(name.size() + 1);
  const auto found = std::ranges::find(key->choices, choice);
  if (found == key->choices.end()) {
    wrong(uri, "has \"" + shortened(choice) + "\" for " + std::string(name));
  }
  key->set(options, static_cast<size_t>(found - key->choices.begin()));
}

}  // namespace

Options options_of(std::string_view uri) {
  Options options;
  std::string_view rest = uri.substr(kPrefix.size());
  if (rest.empty()) return options;
  if (!rest.starts_with('?')) {
    wrong(uri, "has \"" + shortened(rest) + "\" behind the colon");
  }
  std::set<std::string_view> seen;
  while (!rest.empty()) {
    rest.remove_prefix(1);  // ? or &
    const std::string_view option = rest.substr(0, rest.find('&'));
    rest.remove_prefix(option.size());
    read(uri, option, options, seen);
  }
  return options;
}

std::vector<std::string> known_uris() {
  std::vector<std::string> known;
  for (const Key& key : kKeys) {
    for (const std::string_view choice : key.choices.subspan(1)) {
      known.push_back(std::string(kPrefix) + "?" + std::string(key.name) + "=" +
                      std::string(choice));
    }
  }
  return known;
}

}  // namespace hlo::tpu
