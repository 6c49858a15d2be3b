#include "interpreter/numeric/random/random.h"

#include <bit>
#include <cstddef>

namespace hlo::numeric {
namespace {

constexpr int kRounds = 10;
constexpr uint64_t kMultiplier0 = 0xD2511F53;
constexpr uint64_t kMultiplier1 = 0xCD9E8D57;
constexpr uint32_t kBump0 = 0x9E3779B9;
constexpr uint32_t kBump1 = 0xBB67AE85;

constexpr uint32_t kParity = 0x1BD11BDA;
constexpr size_t kGroups = 5;  // of four rounds of Threefry
constexpr std::array<std::array<int, 4>, 2> kRotations = {
    {{13, 15, 26, 6}, {17, 29, 16, 24}}};

uint32_t low(uint64_t word) { return static_cast<uint32_t>(word); }

uint32_t high(uint64_t word) { return static_cast<uint32_t>(word >> 32U); }

}  // namespace

std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key) {
  auto [a, b, c, d] = counter;
  auto [low_key, high_key] = key;
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t first = kMultiplier0 * a;
    const uint64_t second = kMultiplier1 * c;
    a = high(second) ^ b ^ low_key;
    b = low(second);
    c = high(first) ^ d ^ high_key;
    d = low(first);
    low_key += kBump0;
    high_key += kBump1;
  }
  return {a, b, c, d};
}

std::array<uint32_t, 4> philox4x32(std::array<uint64_t, 2> counter,
                                   uint64_t key) {
  return philox4x32(
      {low(counter[0]), high(counter[0]), low(counter[1]), high(counter[1])},
      {low(key), high(key)});
}

std::array<uint32_t, 2> threefry2x32(uint64_t counter, uint64_t key) {
  const std::array<uint32_t, 3> keys = {low(key), high(key),
                                        kParity ^ low(key) ^ high(key)};
  uint32_t x = low(counter) + keys[0];
  uint32_t y = high(counter) + keys[1];
  for (size_t group = 0; group < kGroups; ++group) {
    for (const int rotation : kRotations.at(group % 2)) {
      x += y;
      y = std::rotl(y, rotation) ^ x;
    }
    x += keys.at((group + 1) % 3);
    y += keys.at((group + 2) % 3) + static_cast<uint32_t>(group + 1);
  }
  return {x, y};
}

std::array<uint64_t, 2> advance(std::array<uint64_t, 2> counter, uint64_t n) {
  const uint64_t sum = counter[0] + n;
  return {sum, counter[1] + (sum < n ? 1 : 0)};
}

}  // namespace hlo::numeric
