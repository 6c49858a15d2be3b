#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "interpreter/model/element_type.h"

// How literals store their elements.

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

/// The bits of a code that are the value; 64 at most.
inline uint64_t value_mask(ElementType type) {
  const int width = std::min(bits(type), 64);
  return width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
}

/// The code of an element, or the codes of a complex one's parts.
using ElementBits = std::array<uint64_t, 2>;

/// Stores an element in the storage_bytes() of its type.
inline void store(ElementType type, const ElementBits& element,
                  std::byte* target) {
  const auto width = static_cast<size_t>(storage_bytes(type));
  if (is_complex(type)) {
    std::memcpy(target, element.data(), width / 2);
    std::memcpy(target + width / 2, &element[1], width / 2);
    return;
  }
  uint64_t stored = element[0] & value_mask(type);
  const bool negative = ((stored >> (bits(type) - 1)) & 1) != 0;
  if (is_signed(type) && negative) stored |= ~value_mask(type);
  std::memcpy(target, &stored, width);
}

/// The element of that type that is stored there.
inline ElementBits load(ElementType type, const std::byte* source) {
  ElementBits element{};
  const auto width = static_cast<size_t>(storage_bytes(type));
  if (is_complex(type)) {
    std::memcpy(element.data(), source, width / 2);
    std::memcpy(&element[1], source + width / 2, width / 2);
    return element;
  }
  std::memcpy(element.data(), source, width);
  element[0] &= value_mask(type);
  return element;
}

}  // namespace hlo
