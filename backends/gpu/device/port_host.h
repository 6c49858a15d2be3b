#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

// What the kernels' dialect needs where it is C++ (kernels/port_host.inc).

namespace hlo::gpu {

template <typename T>
T loaded(const uint8_t* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

template <typename T>
void stored(uint8_t* place, T value) {
  std::memcpy(place, &value, sizeof value);
}

/// The high half of the product.
inline uint64_t multiplied_high(uint64_t a, uint64_t b) {
  const uint64_t low = (a & 0xffffffff) * (b & 0xffffffff);
  const uint64_t middle = (a >> 32) * (b & 0xffffffff) + (low >> 32);
  const uint64_t other = (a & 0xffffffff) * (b >> 32) + (middle & 0xffffffff);
  return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}

}  // namespace hlo::gpu
