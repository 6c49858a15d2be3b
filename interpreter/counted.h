#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace hlo {

/// A number and what it counts, for messages: "1 element", "2 elements".
/// `many` is the word for several things, where it is not `one` with an s.
template <std::integral Count>
std::string counted(Count count, std::string_view one,
                    std::string_view many = {}) {
  std::string text = std::to_string(count) + " ";
  if (count != 1 && !many.empty()) return text += many;
  text += one;
  return count == 1 ? text : text + "s";
}

}  // namespace hlo
