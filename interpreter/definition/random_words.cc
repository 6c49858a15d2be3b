#include "interpreter/definition/random_words.h"

#include <bit>

#include "interpreter/definition/numbers/scalar_codes.h"

namespace hlo::definition {
namespace {

uint32_t low(uint64_t x) { return static_cast<uint32_t>(x); }

uint32_t high(uint64_t x) { return low(x >> 32); }

/// Word i of the number, the lowest first.
uint32_t word(const Integer& x, int i) {
  return static_cast<uint32_t>(wrap(x >> 32 * i, 32));
}

}  // namespace

std::array<uint32_t, 4> philox(const Integer& counter, uint64_t key) {
  std::array<uint32_t, 4> c = {word(counter, 0), word(counter, 1),
                               word(counter, 2), word(counter, 3)};
  std::array<uint32_t, 2> k = {low(key), high(key)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xd2511f53} * c[0];
    const uint64_t b = uint64_t{0xcd9e8d57} * c[2];
    c = {high(b) ^ c[1] ^ k[0], low(b), high(a) ^ c[3] ^ k[1], low(a)};
    k = {k[0] + 0x9e3779b9, k[1] + 0xbb67ae85};
  }
  return c;
}

std::array<uint32_t, 2> threefry(const Integer& counter, uint64_t key) {
  constexpr std::array<int, 8> kTurns = {13, 15, 26, 6, 17, 29, 16, 24};
  std::array<uint32_t, 3> k = {low(key), high(key), 0};
  k[2] = 0x1bd11bda ^ k[0] ^ k[1];
  uint32_t x = word(counter, 0) + k[0];
  uint32_t y = word(counter, 1) + k[1];
  for (uint32_t r = 0; r < 20; ++r) {
    x += y;
    y = std::rotl(y, kTurns.at(r % 8)) ^ x;
    if (r % 4 != 3) continue;
    const uint32_t g = (r + 1) / 4;
    x += k.at(g % 3);
    y += k.at((g + 1) % 3) + g;
  }
  return {x, y};
}

}  // namespace hlo::definition
