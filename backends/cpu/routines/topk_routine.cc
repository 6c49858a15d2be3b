#include "backends/cpu/routines/topk_routine.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "backends/cpu/kernels/sorting/radix_sort.h"
#include "backends/cpu/kernels/sorting/select_first.h"
#include "backends/cpu/routines/regions/comparator.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kChosenPerTask =
    int64_t{32} * 1024;  // elements worth another thread

/// The first `count` elements of each of so many lines.
struct FirstOfLines {
  SortKey key;
  int64_t lines = 1;
  int64_t length = 1;
  int64_t count = 1;

  void run(const std::byte* from, std::byte* numbers, int32_t* places) const {
    const int64_t some = std::max<int64_t>(1, kChosenPerTask / length);
    share_loop((lines + some - 1) / some, [&](int64_t task) {
      const int64_t last = std::min(lines, (task + 1) * some);
      for (int64_t i = task * some; i < last; ++i) {
        select(from + i * length * width(), numbers + i * count * width(),
               places + i * count);
      }
    });
  }

 private:
  int64_t width() const { return static_cast<int64_t>(key.width); }

  void select(const std::byte* line, std::byte* numbers,
              int32_t* places) const {
    std::vector<uint32_t> first(static_cast<size_t>(count));
    select_first(key, line, length, first);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t place = first[static_cast<size_t>(i)];
      places[i] = static_cast<int32_t>(place);
      std::memcpy(numbers + i * width(), line + place * width(), key.width);
    }
  }
};

}  // namespace

std::optional<Routine> topk_routine(const Instruction& topk) {
  const Shape& operand = topk.operand_shape(0);
  const std::optional<SortKey> key = key_of_type(operand.element_type);
  const std::vector<Shape>& results = topk.shape.tuple_shapes;
  if (!key || results.size() != 2 || operand.dims.back() > kMostRows ||
      results[0].element_type != operand.element_type ||
      results[1].element_type != ElementType::kS32) {
    return std::nullopt;
  }
  FirstOfLines own{*key, operand.element_count() / operand.dims.back(),
                   operand.dims.back(), topk.get<int64_t>("k")};
  own.key.descends = topk.get_or<bool>("largest", true);
  return Routine{[own](auto operands, auto to) {
    own.run(operands[0], to[0], reinterpret_cast<int32_t*>(to[1]));
  }};
}

}  // namespace hlo::cpu
