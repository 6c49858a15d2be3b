#include "backends/cpu/kernels/moves/move_windows.h"

#include <algorithm>
#include <cstring>

#include "backends/cpu/kernels/stream.h"
#include "backends/cpu/kernels/with_width.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kPerTask =
    int64_t{32} * 1024;              // elements worth another thread
constexpr int64_t kLongRun = 8;      // elements worth a call of memcpy
constexpr int64_t kParts = 4;        // of an array that threads share
constexpr int64_t kTogether = 1024;  // windows that are found at a time

/// Whether a run of so many bytes is whole lines on their boundaries.
bool is_lines(size_t bytes, const void* to) {
  constexpr size_t kLine = 64;
  return bytes % kLine == 0 && reinterpret_cast<uintptr_t>(to) % kLine == 0;
}

template <typename T>
void copy_run(const WindowList& windows, const T* from, T* to) {
  if (windows.array_step == 1 && windows.list_step == 1 &&
      windows.length >= kLongRun) {
    const size_t bytes = static_cast<size_t>(windows.length) * sizeof(T);
    if (windows.streams && is_lines(bytes, to)) {
      stream_bytes(reinterpret_cast<const std::byte*>(from), bytes,
                   reinterpret_cast<std::byte*>(to));
    } else {
      std::memcpy(to, from, bytes);
    }
  } else {
    for (int64_t i = 0; i < windows.length; ++i) {
      to[i * windows.list_step] = from[i * windows.array_step];
    }
  }
}

/// Where some windows are.
class Found {
 public:
  Found(const WindowList& windows, int64_t first, int64_t last)
      : count_(last - first) {
    windows.find(first, last, starts_, places_);
  }

  int64_t count() const { return count_; }

  int64_t start(int64_t w) const { return starts_[w]; }

  int64_t place(int64_t w) const { return places_[w]; }

 private:
  int64_t count_;
  int64_t starts_[kTogether];
  int64_t places_[kTogether];
};

/// Copies one run of windows.
template <typename T>
void copy_runs(const WindowList& windows, const WindowRun& run,
               const Found& found, const T* array, T* list) {
  if (windows.length == 1) {
    const T* const from = array + run.in_array;
    T* const to = list + run.in_list;
    for (int64_t w = 0; w < found.count(); ++w) {
      to[found.place(w)] = from[found.start(w)];
    }
    return;
  }
  for (int64_t w = 0; w < found.count(); ++w) {
    copy_run(windows, array + found.start(w) + run.in_array,
             list + found.place(w) + run.in_list);
  }
}

template <typename T>
void copy_windows(const WindowList& windows, const Found& found, const T* array,
                  T* list) {
  if (windows.runs_outside || windows.runs.size() == 1) {
    for (const WindowRun& run : windows.runs) {
      copy_runs(windows, run, found, array, list);
    }
    return;
  }
  for (int64_t w = 0; w < found.count(); ++w) {
    for (const WindowRun& run : windows.runs) {
      copy_run(windows, array + found.start(w) + run.in_array,
               list + found.place(w) + run.in_list);
    }
  }
}

int64_t elements_of(const WindowList& windows) {
  return windows.length * std::ssize(windows.runs);
}

template <typename T>
void gather(WindowList windows, const T* array, T* list) {
  windows.streams =
      static_cast<size_t>(windows.count * elements_of(windows)) * sizeof(T) >=
      kStreamed;
  const int64_t some = std::clamp<int64_t>(
      kPerTask / std::max<int64_t>(1, elements_of(windows)), 1, kTogether);
  const int64_t blocks = (windows.count + some - 1) / some;
  // A thread gets several blocks where windows are small.
  const int64_t each =
      std::max<int64_t>(1, kPerTask / (some * elements_of(windows)));
  share_loop((blocks + each - 1) / each, [&](int64_t task) {
    const int64_t end = std::min(blocks, (task + 1) * each);
    for (int64_t b = task * each; b < end; ++b) {
      const Found found(windows, b * some,
                        std::min(windows.count, (b + 1) * some));
      copy_windows(windows, found, array, list);
    }
    if (windows.streams) end_stream();
  });
}

template <Combine kHow, typename T>
void combine_run(const WindowList& windows, const T* from, T* to) {
  int64_t i = 0;
  if (windows.array_step == 1 && windows.list_step == 1) {
    constexpr auto kBeside =
        static_cast<int64_t>(64 / sizeof(T));  // as vectors
    for (; i + kBeside <= windows.length; i += kBeside) {
      T own[kBeside];
      std::copy_n(to + i, kBeside, own);
      for (int64_t k = 0; k < kBeside; ++k) {
        own[k] = combined<kHow>(own[k], from[i + k]);
      }
      std::copy_n(own, kBeside, to + i);
    }
  }
  for (; i < windows.length; ++i) {
    T& own = to[i * windows.array_step];
    own = combined<kHow>(own, from[i * windows.list_step]);
  }
}

template <Combine kHow, typename T>
void combine_window(const WindowList& windows, const T* list, T* array) {
  for (const WindowRun& run : windows.runs) {
    combine_run<kHow>(windows, list + run.in_list, array + run.in_array);
  }
}

/// Combines the windows that begin at first ... last - 1 of the array.
template <Combine kHow, typename T>
void scatter_part(const WindowList& windows, int64_t first, int64_t last,
                  const T* list, T* array) {
  for (int64_t begin = 0; begin < windows.count; begin += kTogether) {
    const Found found(windows, begin,
                      std::min(windows.count, begin + kTogether));
    for (int64_t w = 0; w < found.count(); ++w) {
      const int64_t start = found.start(w);
      if (start < first || start >= last) continue;
      combine_window<kHow>(windows, list + found.place(w), array + start);
    }
  }
}

}  // namespace

void gather_windows(const WindowList& windows, size_t width,
                    const std::byte* array, std::byte* list) {
  with_width(width, [&](auto element) {
    using T = decltype(element);
    gather(windows, reinterpret_cast<const T*>(array),
           reinterpret_cast<T*>(list));
  });
}

bool scatter_windows(const WindowList& windows, Combine how, ElementType type,
                     const std::byte* list, std::byte* array, int64_t count) {
  const int64_t all = windows.count * elements_of(windows);
  const int64_t parts = windows.disjoint && all > kPerTask ? kParts : 1;
  const int64_t part = (count + parts - 1) / parts;
  return with_loops<true>(how, type, [&](auto number, auto constant) {
    using T = decltype(number);
    share_loop(parts, [&](int64_t p) {
      scatter_part<decltype(constant)::value>(windows, p * part, (p + 1) * part,
                                              reinterpret_cast<const T*>(list),
                                              reinterpret_cast<T*>(array));
    });
  });
}

}  // namespace hlo::cpu
