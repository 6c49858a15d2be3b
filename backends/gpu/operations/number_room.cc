#include "backends/gpu/operations/number_room.h"

#include <algorithm>
#include <bit>

namespace hlo::gpu {
namespace {

/// How much room all items that run at a time may have.
constexpr int64_t kRoom = int64_t{1} << 26;
constexpr int64_t kMostRoom = int64_t{1} << 32;

}  // namespace

bool is_double(ElementType type) {
  return type == ElementType::kF64 || type == ElementType::kC128;
}

int64_t range_in_bits(ElementType type) {
  if (is_double(type)) return 2048 + 53;
  return type == ElementType::kF16 ? 32 + 11 : 256 + 26;
}

int64_t bits_of_difference(int64_t range, ElementType result) {
  return 2 * (is_double(result) ? 1300 : 500) + 128 + range;
}

int64_t slot_bytes(int64_t bits) {
  constexpr int64_t kHead = 12;
  constexpr int64_t kSlack = 16;  // both ends are no multiples of words
  return (bits / 64 + 1) * 8 + kHead + kSlack + 4;
}

int64_t bits_of_count(int64_t n) {
  return static_cast<int64_t>(std::bit_width(static_cast<uint64_t>(n)));
}

void run_with_room(Memory& memory, int64_t count, int64_t bytes,
                   const std::function<void(int64_t, int64_t, int64_t)>& run) {
  if (count == 0) return;
  if (bytes > kMostRoom) {
    throw Unsupported("does not run what takes numbers of that many bits");
  }
  const int64_t some = std::clamp(kRoom / bytes, int64_t{1}, count);
  const Block room(memory, static_cast<uint64_t>(some * bytes));
  for (int64_t first = 0; first < count; first += some) {
    run(std::min(first + some, count), first,
        static_cast<int64_t>(room.offset()));
  }
}

}  // namespace hlo::gpu
