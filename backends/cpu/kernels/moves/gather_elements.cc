#include "backends/cpu/kernels/moves/gather_elements.h"

#include <algorithm>
#include <type_traits>

#include "backends/cpu/kernels/combined.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kGatheredPerTask =
    int64_t{32} * 1024;  // elements worth another thread

template <typename Index, typename T>
void gather(const ElementIndices& indices, const T* array, T* to) {
  const auto* const own = reinterpret_cast<const Index*>(indices.first);
  const int64_t room = indices.room;
  const int64_t stride = indices.stride;
  const int64_t tasks =
      (indices.count + kGatheredPerTask - 1) / kGatheredPerTask;
  share_loop(tasks, [&, room, stride](int64_t task) {
    const int64_t last = std::min(indices.count, (task + 1) * kGatheredPerTask);
    for (int64_t i = task * kGatheredPerTask; i < last; ++i) {
      const Index index = own[i];
      // An unsigned one may be beyond 64 bits with a sign.
      const int64_t inside =
          index < Index{} ? 0
          : static_cast<uint64_t>(index) > static_cast<uint64_t>(room)
              ? room
              : static_cast<int64_t>(index);
      to[i] = array[inside * stride];
    }
  });
}

template <typename T>
bool gather_as(const ElementIndices& indices, const std::byte* array,
               std::byte* to) {
  bool is_integer = false;
  with_number(indices.type, [&](auto number) {
    using Index = decltype(number);
    if constexpr (std::is_integral_v<Index>) {
      gather<Index>(indices, reinterpret_cast<const T*>(array),
                    reinterpret_cast<T*>(to));
      is_integer = true;
    }
  });
  return is_integer;
}

}  // namespace

bool gather_elements(const ElementIndices& indices, size_t width,
                     const std::byte* array, std::byte* to) {
  switch (width) {
    case 1:
      return gather_as<uint8_t>(indices, array, to);
    case 2:
      return gather_as<uint16_t>(indices, array, to);
    case 4:
      return gather_as<uint32_t>(indices, array, to);
    case 8:
      return gather_as<uint64_t>(indices, array, to);
    default:
      return false;
  }
}

}  // namespace hlo::cpu
