#include "backends/cpu/kernels/move_windows.h"

#include <algorithm>
#include <cstring>

#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kPerTask = 32 * 1024;  // elements worth another thread
constexpr int64_t kLongRun = 8;          // elements worth a call of memcpy
constexpr int64_t kParts = 4;            // of an array that threads share

template <typename T>
void copy_run(const WindowList& windows, const T* from, T* to) {
  if (windows.length == 1) {
    *to = *from;
  } else if (windows.array_step == 1 && windows.list_step == 1 &&
             windows.length >= kLongRun) {
    std::memcpy(to, from, static_cast<size_t>(windows.length) * sizeof(T));
  } else {
    for (int64_t i = 0; i < windows.length; ++i) {
      to[i * windows.list_step] = from[i * windows.array_step];
    }
  }
}

/// Copies one run of the windows first ... last - 1.
template <typename T>
void copy_runs(const WindowList& windows, const WindowRun& run, size_t first,
               size_t last, const T* array, T* list) {
  for (size_t w = first; w < last; ++w) {
    copy_run(windows, array + windows.starts[w] + run.in_array,
             list + windows.places[w] + run.in_list);
  }
}

template <typename T>
void gather(const WindowList& windows, const T* array, T* list) {
  const size_t count = windows.starts.size();
  const int64_t each = windows.runs_outside
                           ? windows.length
                           : windows.length * std::ssize(windows.runs);
  const auto some = static_cast<size_t>(
      std::max<int64_t>(1, kPerTask / std::max<int64_t>(1, each)));
  const size_t blocks = (count + some - 1) / some;
  const size_t outside = windows.runs_outside ? windows.runs.size() : 1;
  share_loop(static_cast<int64_t>(blocks * outside), [&](int64_t task) {
    const size_t first = static_cast<size_t>(task) % blocks * some;
    const size_t last = std::min(count, first + some);
    if (windows.runs_outside) {
      return copy_runs(windows,
                       windows.runs[static_cast<size_t>(task) / blocks], first,
                       last, array, list);
    }
    for (size_t w = first; w < last; ++w) {
      for (const WindowRun& run : windows.runs) {
        copy_runs(windows, run, w, w + 1, array, list);
      }
    }
  });
}

/// Combines the windows that begin at first ... last - 1 of the array.
template <Combine kHow, typename T>
void scatter_part(const WindowList& windows, int64_t first, int64_t last,
                  const T* list, T* array) {
  for (size_t w = 0; w < windows.starts.size(); ++w) {
    const int64_t start = windows.starts[w];
    if (start < first || start >= last) continue;
    for (const WindowRun& run : windows.runs) {
      const T* from = list + windows.places[w] + run.in_list;
      T* to = array + start + run.in_array;
      for (int64_t i = 0; i < windows.length; ++i) {
        T& own = to[i * windows.array_step];
        own = combined<kHow>(own, from[i * windows.list_step]);
      }
    }
  }
}

}  // namespace

void gather_windows(const WindowList& windows, size_t width,
                    const std::byte* array, std::byte* list) {
  const auto as = [&](auto element) {
    using T = decltype(element);
    gather(windows, reinterpret_cast<const T*>(array),
           reinterpret_cast<T*>(list));
  };
  switch (width) {
    case 1:
      return as(uint8_t{});
    case 2:
      return as(uint16_t{});
    case 4:
      return as(uint32_t{});
    case 8:
      return as(uint64_t{});
    default:
      return as(WideElement{});
  }
}

bool scatter_windows(const WindowList& windows, Combine how, ElementType type,
                     const std::byte* list, std::byte* array, int64_t count) {
  const int64_t all =
      std::ssize(windows.starts) * windows.length * std::ssize(windows.runs);
  const int64_t parts = windows.disjoint && all > kPerTask ? kParts : 1;
  const int64_t part = (count + parts - 1) / parts;
  return with_number(type, [&](auto number) {
    using T = decltype(number);
    with_combine(how, [&](auto constant) {
      share_loop(parts, [&](int64_t p) {
        scatter_part<decltype(constant)::value>(
            windows, p * part, (p + 1) * part, reinterpret_cast<const T*>(list),
            reinterpret_cast<T*>(array));
      });
    });
  });
}

}  // namespace hlo::cpu
