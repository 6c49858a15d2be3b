#pragma once

#include <array>
#include <cstdint>

namespace hlo {

/// What `body` returns when it is called with a zero of a plain type as wide as
/// an element that a literal stores in 1, 2, 4, 8 or 16 bytes.
template <typename Body>
auto with_storage(int bytes, Body body) {
  switch (bytes) {
    case 1:
      return body(uint8_t{});
    case 2:
      return body(uint16_t{});
    case 4:
      return body(uint32_t{});
    case 8:
      return body(uint64_t{});
    default:
      return body(std::array<uint64_t, 2>{});
  }
}

}  // namespace hlo
