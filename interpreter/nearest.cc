#include "interpreter/nearest.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace hlo {
namespace {

/// Longer ones are no names.
constexpr size_t kLongest = 64;

/// How many letters are put in, left out, changed or swapped with a neighbour.
size_t distance(std::string_view from, std::string_view to) {
  std::vector<size_t> before(to.size() + 1);
  std::vector<size_t> above(to.size() + 1);
  std::vector<size_t> row(to.size() + 1);
  for (size_t k = 0; k <= to.size(); ++k) above[k] = k;
  for (size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (size_t k = 1; k <= to.size(); ++k) {
      const size_t changed = from[i - 1] == to[k - 1] ? 0 : 1;
      row[k] = std::min({above[k] + 1, row[k - 1] + 1, above[k - 1] + changed});
      const bool is_swapped = i > 1 && k > 1 && from[i - 1] == to[k - 2] &&
                              from[i - 2] == to[k - 1];
      if (is_swapped) row[k] = std::min(row[k], before[k - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[to.size()];
}

}  // namespace

std::string nearest(std::string_view text, std::span<const std::string> names) {
  if (text.empty() || text.size() > kLongest) return {};
  constexpr size_t kPart = 3;
  const size_t most = std::max<size_t>(1, text.size() / kPart);
  size_t least = most + 1;
  std::string found;
  for (const std::string& name : names) {
    if (name.starts_with(text)) return name;
    if (name.size() > kLongest) continue;
    const size_t apart = distance(text, name);
    // One letter is not like another one.
    if (apart >= least || apart >= name.size()) continue;
    least = apart;
    found = name;
  }
  return found;
}

std::string suggestion(std::string_view text,
                       std::span<const std::string> names) {
  const std::string name = nearest(text, names);
  return name.empty() ? name : " (did you mean " + name + "?)";
}

}  // namespace hlo
