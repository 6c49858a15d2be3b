#include "backends/cpu/functions/random/generators.h"

#include <bit>

namespace hlo::cpu {
namespace {

uint32_t low(uint64_t x) { return static_cast<uint32_t>(x); }

uint32_t high(uint64_t x) { return static_cast<uint32_t>(x >> 32); }

}  // namespace

std::array<uint32_t, 4> philox(const Counter& counter, uint64_t key) {
  std::array<uint32_t, 4> c = {low(counter[0]), high(counter[0]),
                               low(counter[1]), high(counter[1])};
  uint32_t k0 = low(key);
  uint32_t k1 = high(key);
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xd2511f53} * c[0];
    const uint64_t b = uint64_t{0xcd9e8d57} * c[2];
    c = {high(b) ^ c[1] ^ k0, low(b), high(a) ^ c[3] ^ k1, low(a)};
    k0 += 0x9e3779b9U;
    k1 += 0xbb67ae85U;
  }
  return c;
}

std::array<uint32_t, 2> threefry(uint64_t counter, uint64_t key) {
  constexpr std::array<int, 8> kRotations = {13, 15, 26, 6, 17, 29, 16, 24};
  const std::array<uint32_t, 3> k = {low(key), high(key),
                                     0x1bd11bdaU ^ low(key) ^ high(key)};
  uint32_t x = low(counter) + k[0];
  uint32_t y = high(counter) + k[1];
  for (uint32_t round = 0; round < 20; ++round) {
    x += y;
    y = std::rotl(y, kRotations[round % 8]) ^ x;
    if (round % 4 != 3) continue;
    const uint32_t group = (round + 1) / 4;
    x += k[group % 3];
    y += k[(group + 1) % 3] + group;
  }
  return {x, y};
}

}  // namespace hlo::cpu
