#include "backends/uri_options.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <system_error>

#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo {
namespace {

std::string joined(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    text += (text.empty() ? "" : ", ") + std::string(word);
  }
  return text;
}

std::string form_of(const UriOption& option) {
  const bool has_choices = !option.choices.empty();
  const std::string word(has_choices ? "CHOICE" : option.numbers.word);
  const std::string told =
      has_choices ? joined(option.choices) : std::string(option.numbers.told);
  return std::string(option.name) + "=" + word + " (" + told + ")";
}

/// The number of a choice, or the whole number that the text is.
std::optional<uint64_t> choice_of(const UriOption& option,
                                  std::string_view text) {
  if (!option.choices.empty()) {
    const auto found = std::ranges::find(option.choices, text);
    if (found == option.choices.end()) return std::nullopt;
    return static_cast<uint64_t>(found - option.choices.begin());
  }
  uint64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || end != last) return std::nullopt;
  const UriOption::Numbers& range = option.numbers;
  if (number < range.least || number > range.most) return std::nullopt;
  return number;
}

/// A URI that is being read.
class Reader {
 public:
  Reader(std::string_view uri, std::string_view prefix,
         std::span<const UriOption> options)
      : uri_(uri), prefix_(prefix), options_(options) {}

  void read() {
    std::string_view rest = uri_.substr(prefix_.size());
    if (rest.empty()) return;
    if (!rest.starts_with('?')) {
      wrong("has \"" + shortened(rest) + "\" behind the colon");
    }
    while (!rest.empty()) {
      rest.remove_prefix(1);  // ? or &
      const std::string_view option = rest.substr(0, rest.find('&'));
      rest.remove_prefix(option.size());
      take(option);
    }
  }

 private:
  void take(std::string_view text) {
    const std::string_view name = text.substr(0, text.find('='));
    const auto option = std::ranges::find(options_, name, &UriOption::name);
    if (option == options_.end() || name.size() == text.size()) {
      wrong("has the option \"" + shortened(text) + "\"");
    }
    if (!seen_.insert(name).second) {
      wrong("has " + std::string(name) + " twice");
    }
    text.remove_prefix(name.size() + 1);
    const std::optional<uint64_t> choice = choice_of(*option, text);
    if (!choice) {
      wrong("has \"" + shortened(text) + "\" for " + std::string(name));
    }
    option->set(*choice);
  }

  [[noreturn]] void wrong(const std::string& what) const {
    std::string forms;
    for (const UriOption& option : options_) {
      forms += (forms.empty() ? "" : ", ") + form_of(option);
    }
    const std::string prefix(prefix_);
    throw Error(Phase::kParse, "usage.backend",
                "the backend \"" + shortened(uri_) + "\" " + what +
                    ", but it must be " + prefix + " or " + prefix +
                    "?OPTION&OPTION..., with " + forms);
  }

  std::string_view uri_;
  std::string_view prefix_;
  std::span<const UriOption> options_;
  std::set<std::string_view> seen_;
};

}  // namespace

void read_uri_options(std::string_view uri, std::string_view prefix,
                      std::span<const UriOption> options) {
  Reader(uri, prefix, options).read();
}

}  // namespace hlo
