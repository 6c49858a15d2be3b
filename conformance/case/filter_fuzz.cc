#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/case_files.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

/// Whether the glob matches the text, by a table of all their beginnings.
bool matches(std::string_view glob, std::string_view text) {
  // row[t]: the glob so far matches the first t characters.
  std::vector<bool> row(text.size() + 1);
  row[0] = true;
  for (const char letter : glob) {
    std::vector<bool> next(text.size() + 1);
    next[0] = letter == '*' && row[0];
    for (size_t t = 1; t <= text.size(); ++t) {
      next[t] = letter == '*'
                    ? row[t] || next[t - 1]
                    : row[t - 1] && (letter == '?' || letter == text[t - 1]);
    }
    row = std::move(next);
  }
  return row.back();
}

bool selects_by_table(std::string_view filter, std::string_view id) {
  bool has_positive = false;
  bool is_selected = false;
  while (!filter.empty()) {
    const std::string_view glob = filter.substr(0, filter.find(':'));
    filter.remove_prefix(std::min(glob.size() + 1, filter.size()));
    if (glob.starts_with('-')) {
      if (matches(glob.substr(1), id)) return false;
    } else {
      has_positive = true;
      is_selected = is_selected || matches(glob, id);
    }
  }
  return is_selected || !has_positive;
}

}  // namespace

// A filter, a line break, and an id: selected as a slower matcher says.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kMost = 2000;
  const std::string_view text(reinterpret_cast<const char*>(data),
                              std::min(size, kMost));
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string filter(text.substr(0, end));
  const std::string id(text.substr(std::min(end + 1, text.size())));
  if (hlo::conformance::selects(filter, id) != selects_by_table(filter, id)) {
    std::abort();
  }
  return 0;
}
