#include "interpreter/rules/start_indices.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace hlo {
namespace {

template <typename T>
void widen(const std::byte* bytes, std::vector<int64_t>& numbers) {
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  const T* values = reinterpret_cast<const T*>(bytes);
  for (size_t i = 0; i < numbers.size(); ++i) {
    if constexpr (std::is_same_v<T, uint64_t>) {
      numbers[i] = static_cast<int64_t>(std::min(values[i], kMax));
    } else {
      numbers[i] = int64_t{values[i]};
    }
  }
}

}  // namespace

std::vector<int64_t> integers(const Literal& literal) {
  std::vector<int64_t> numbers(static_cast<size_t>(literal.element_count()));
  const std::byte* bytes = literal.bytes().data();
  const bool sign = is_signed(literal.type());
  switch (storage_bytes(literal.type())) {
    case 1:
      sign ? widen<int8_t>(bytes, numbers) : widen<uint8_t>(bytes, numbers);
      break;
    case 2:
      sign ? widen<int16_t>(bytes, numbers) : widen<uint16_t>(bytes, numbers);
      break;
    case 4:
      sign ? widen<int32_t>(bytes, numbers) : widen<uint32_t>(bytes, numbers);
      break;
    default:
      sign ? widen<int64_t>(bytes, numbers) : widen<uint64_t>(bytes, numbers);
  }
  return numbers;
}

int64_t clamped_start(const Literal& starts, int64_t position,
                      int64_t dimension_size, int64_t size) {
  return std::clamp<int64_t>(starts.integer(position), 0,
                             dimension_size - size);
}

}  // namespace hlo
