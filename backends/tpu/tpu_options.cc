#include "backends/tpu/tpu_options.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <system_error>

#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo::tpu {
namespace {

constexpr std::string_view kPrefix = "tpu:";

/// The whole numbers that a key without choices takes.
struct NumberRange {
  std::string_view word;  // for the number
  uint64_t least = 0;
  uint64_t most = UINT64_MAX;
  std::string_view told;  // the range
};

/// A key, its choices, the first of which is the default, and what a choice
/// sets; without choices it takes a whole number.
struct Key {
  std::string_view name;
  std::vector<std::string_view> choices;
  void (*set)(Options&, uint64_t choice);
  NumberRange range = {};

  std::string form() const;
};

/// In the order of MatrixMode.
Key matrix_key() {
  return {"matrix",
          {"exact", "bf16", "bf16x3", "bf16x6", "bf16x9"},
          [](Options& options, uint64_t choice) {
            options.matrix = static_cast<MatrixMode>(choice);
          }};
}

Key generation_key() {
  Key key{"generation", {}, [](Options& options, uint64_t choice) {
            options.generation = &generations()[choice];
          }};
  for (const Generation& each : generations()) key.choices.push_back(each.name);
  return key;
}

Key poison_key() {
  return {"poison",
          {},
          [](Options& options, uint64_t seed) { options.poison = seed; },
          {.word = "SEED", .told = "0 to 2^64 - 1"}};
}

Key scratch_key() {
  return {"scratch",
          {},
          [](Options& options, uint64_t bytes) {
            options.scratch = static_cast<int64_t>(bytes);
          },
          {.word = "BYTES",
           .least = uint64_t{1} << 18,
           .most = uint64_t{1} << 30,
           .told = "2^18 to 2^30"}};
}

const std::vector<Key>& keys() {
  static const std::vector<Key> all = {matrix_key(), generation_key(),
                                       poison_key(), scratch_key()};
  return all;
}

std::string joined(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    text += (text.empty() ? "" : ", ") + std::string(word);
  }
  return text;
}

std::string Key::form() const {
  const std::string word(choices.empty() ? range.word : "CHOICE");
  const std::string told(choices.empty() ? range.told : joined(choices));
  return std::string(name) + "=" + word + " (" + told + ")";
}

[[noreturn]] void wrong(std::string_view uri, const std::string& what) {
  std::string form;
  for (const Key& key : keys()) {
    form += (form.empty() ? "" : ", ") + key.form();
  }
  throw Error(Phase::kParse, "usage.backend",
              "the backend \"" + shortened(uri) + "\" " + what +
                  ", but it must be tpu: or tpu:?OPTION&OPTION..., with " +
                  form);
}

/// The number of a choice, or the whole number that the text is.
std::optional<uint64_t> choice_of(const Key& key, std::string_view text) {
  if (!key.choices.empty()) {
    const auto found = std::ranges::find(key.choices, text);
    if (found == key.choices.end()) return std::nullopt;
    return static_cast<uint64_t>(found - key.choices.begin());
  }
  uint64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || end != last) return std::nullopt;
  if (number < key.range.least || number > key.range.most) return std::nullopt;
  return number;
}

/// Reads KEY=CHOICE.
void read(std::string_view uri, std::string_view option, Options& options,
          std::set<std::string_view>& seen) {
  const std::string_view name = option.substr(0, option.find('='));
  const auto key = std::ranges::find(keys(), name, &Key::name);
  if (key == keys().end() || name.size() == option.size()) {
    wrong(uri, "has the option \"" + shortened(option) + "\"");
  }
  if (!seen.insert(name).second) {
    wrong(uri, "has " + std::string(name) + " twice");
  }
  const std::string_view text = option.substr(name.size() + 1);
  const std::optional<uint64_t> choice = choice_of(*key, text);
  if (!choice) {
    wrong(uri, "has \"" + shortened(text) + "\" for " + std::string(name));
  }
  key->set(options, *choice);
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
  for (const Key& key : keys()) {
    for (size_t k = 1; k < key.choices.size(); ++k) {
      known.push_back(std::string(kPrefix) + "?" + std::string(key.name) + "=" +
                      std::string(key.choices[k]));
    }
  }
  return known;
}

}  // namespace hlo::tpu
