#include "interpreter/numeric/random.h"

namespace hlo::numeric {
namespace {

constexpr int kRounds = 10;
constexpr uint64_t kMultiplier0 = 0xD2511F53;
constexpr uint64_t kMultiplier1 = 0xCD9E8D57;
constexpr uint32_t kBump0 = 0x9E3779B9;
constexpr uint32_t kBump1 = 0xBB67AE85;

}  // namespace

std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key) {
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t a = kMultiplier0 * counter[0];
    const uint64_t b = kMultiplier1 * counter[2];
    counter = {static_cast<uint32_t>(b >> 32U) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32U) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(a)};
    key[0] += kBump0;
    key[1] += kBump1;
  }
  return counter;
}

}  // namespace hlo::numeric
