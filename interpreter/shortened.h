#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hlo {

/// As many bytes of a name, number or line of an input as messages echo.
inline constexpr size_t kMostEchoed = 100;

/// The text as messages echo it: where it has more than `most` bytes, whole
/// characters of its beginning, and "...".
std::string shortened(std::string_view text, size_t most = kMostEchoed);

}  // namespace hlo
