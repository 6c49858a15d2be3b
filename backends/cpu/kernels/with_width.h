#pragma once

#include <cstddef>
#include <cstdint>

namespace hlo::cpu {

/// An element of 16 bytes.
struct WideElement {
  uint64_t parts[2];
};

/// Calls visitor(element) with one of a type of so many bytes: 1, 2, 4, 8 or
/// 16.
template <typename Visitor>
void with_width(size_t width, const Visitor& visitor) {
  switch (width) {
    case 1:
      return visitor(uint8_t{});
    case 2:
      return visitor(uint16_t{});
    case 4:
      return visitor(uint32_t{});
    case 8:
      return visitor(uint64_t{});
    default:
      return visitor(WideElement{});
  }
}

}  // namespace hlo::cpu
