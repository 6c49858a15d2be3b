#include "backends/cpu/functions/sequences/iota_numbers.h"

#include "backends/cpu/arrays/map_elements.h"
#include "backends/cpu/arrays/offsets.h"

namespace hlo::cpu {
namespace {

/// Numbers below `size`, each `stride` times, as they are from `first` on.
template <typename T>
void count_along(int64_t first, int64_t stride, int64_t size,
                 std::span<T> some) {
  int64_t number = first / stride % size;
  int64_t times = first % stride;
  for (T& value : some) {
    if constexpr (std::is_arithmetic_v<T>) value = static_cast<T>(number);
    if constexpr (!std::is_arithmetic_v<T>) {
      value = static_cast<typename T::value_type>(number);
    }
    if (++times < stride) continue;
    times = 0;
    if (++number == size) number = 0;
  }
}

}  // namespace

Array iota_numbers(const Shape& shape, size_t d) {
  const int64_t stride = row_major_strides(shape.dims)[d];
  return with_host_type(shape.element_type, [&](auto tag) {
    using T = decltype(tag);
    return filled<T>(shape, [&](int64_t first, std::span<T> some) {
      count_along(first, stride, shape.dims[d], some);
    });
  });
}

}  // namespace hlo::cpu
