#include "backends/cpu/kernels/view.h"

#include <algorithm>
#include <cstring>

#include "backends/cpu/kernels/repeat_words.h"
#include "backends/cpu/kernels/with_width.h"

namespace hlo::cpu {
namespace {

/// The steps; 0 without elements, where their products may be beyond 64 bits.
std::vector<int64_t> dense_strides(const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size());
  if (std::ranges::count(dims, 0) != 0) return strides;
  int64_t step = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    strides[d] = step;
    step *= dims[d];
  }
  return strides;
}

template <typename T>
void copy_run(const std::byte* from, int64_t stride, int64_t count,
              std::byte* to) {
  T value;
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(&value, from + i * stride * int64_t{sizeof(T)}, sizeof(T));
    std::memcpy(to + i * int64_t{sizeof(T)}, &value, sizeof(T));
  }
}

void copy_strided(size_t width, const std::byte* from, int64_t stride,
                  int64_t count, std::byte* to) {
  if (stride == 1) {
    std::memcpy(to, from, static_cast<size_t>(count) * width);
  } else if (stride == 0) {
    repeat_element(from, width, static_cast<size_t>(count), to);
  } else {
    with_width(width, [&](auto element) {
      copy_run<decltype(element)>(from, stride, count, to);
    });
  }
}

}  // namespace

View View::dense(std::vector<int64_t> dims) {
  std::vector<int64_t> strides = dense_strides(dims);
  return {std::move(dims), std::move(strides), 0};
}

int64_t View::count() const {
  if (std::ranges::count(dims, 0) != 0) return 0;
  int64_t product = 1;
  for (const int64_t size : dims) product *= size;
  return product;
}

bool View::is_contiguous() const {
  if (std::ranges::count(dims, 0) != 0) return true;
  int64_t step = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    if (dims[d] != 1 && strides[d] != step) return false;
    step *= dims[d];
  }
  return true;
}

int64_t View::inner_stride() const {
  for (size_t d = dims.size(); d-- > 0;) {
    if (dims[d] != 1) return strides[d];
  }
  return 1;
}

View View::permuted(std::span<const int64_t> order) const {
  View result{{}, {}, offset};
  for (const int64_t d : order) {
    result.dims.push_back(dims[static_cast<size_t>(d)]);
    result.strides.push_back(strides[static_cast<size_t>(d)]);
  }
  return result;
}

View View::broadcast(std::span<const int64_t> places,
                     std::vector<int64_t> result) const {
  View wide{std::move(result), {}, offset};
  wide.strides.resize(wide.dims.size());
  for (size_t d = 0; d < places.size(); ++d) {
    wide.strides[static_cast<size_t>(places[d])] = strides[d];
  }
  return wide;
}

View View::reversed(std::span<const int64_t> dimensions) const {
  View result = *this;
  for (const int64_t dimension : dimensions) {
    const auto d = static_cast<size_t>(dimension);
    result.offset += std::max<int64_t>(dims[d] - 1, 0) * strides[d];
    result.strides[d] = -strides[d];
  }
  return result;
}

View View::collapsed() const {
  View result{{}, {}, offset};
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] == 1) continue;
    if (!result.dims.empty() && result.strides.back() == strides[d] * dims[d]) {
      result.dims.back() *= dims[d];
      result.strides.back() = strides[d];
    } else {
      result.dims.push_back(dims[d]);
      result.strides.push_back(strides[d]);
    }
  }
  return result;
}

std::optional<View> View::reshaped(std::vector<int64_t> result) const {
  View wide = dense(std::move(result));
  wide.offset = offset;
  if (count() == 0 || is_contiguous()) return wide;
  // From the last dimension on, each run of equal steps is cut into new ones.
  const View merged = collapsed();
  size_t from = merged.dims.size();
  int64_t left = 1;
  int64_t step = 0;
  for (size_t d = wide.dims.size(); d-- > 0;) {
    if (wide.dims[d] == 1) continue;
    if (left == 1) {
      --from;
      left = merged.dims[from];
      step = merged.strides[from];
    }
    if (left % wide.dims[d] != 0) return std::nullopt;
    wide.strides[d] = step;
    step *= wide.dims[d];
    left /= wide.dims[d];
  }
  return wide;
}

void copy_elements(const View& collapsed, size_t width, const std::byte* from,
                   int64_t first, int64_t count, std::byte* to) {
  const size_t rank = collapsed.dims.size();
  if (count == 0) return;
  std::vector<int64_t> index(rank);
  int64_t at = collapsed.offset;
  int64_t rest = first;
  for (size_t d = rank; d-- > 0;) {
    index[d] = rest % collapsed.dims[d];
    rest /= collapsed.dims[d];
    at += index[d] * collapsed.strides[d];
  }
  const auto bytes = static_cast<int64_t>(width);
  const int64_t inner = rank == 0 ? 1 : collapsed.dims[rank - 1];
  const int64_t stride = rank == 0 ? 1 : collapsed.strides[rank - 1];
  while (true) {
    const int64_t begin = rank == 0 ? 0 : index[rank - 1];
    const int64_t run = std::min(inner - begin, count);
    copy_strided(width, from + at * bytes, stride, run, to);
    to += run * bytes;
    count -= run;
    if (count == 0) return;
    at -= begin * stride;
    index[rank - 1] = 0;
    for (size_t d = rank - 1; d-- > 0;) {
      at += collapsed.strides[d];
      if (++index[d] < collapsed.dims[d]) break;
      at -= collapsed.dims[d] * collapsed.strides[d];
      index[d] = 0;
    }
  }
}

void repeat_element(const std::byte* element, size_t width, size_t count,
                    std::byte* to) {
  if (width == sizeof(uint32_t)) return repeat_words(element, count, to);
  // By copies that grow.
  constexpr size_t kBlock = 64;
  const size_t bytes = width * count;
  size_t done = 0;
  for (; done < std::min(bytes, kBlock); done += width) {
    std::memcpy(to + done, element, width);
  }
  while (done < bytes) {
    const size_t more = std::min(done, bytes - done);
    std::memcpy(to + done, to, more);
    done += more;
  }
}

void write_elements(const View& view, size_t width, const std::byte* from,
                    std::byte* to) {
  View runs = view.collapsed();
  int64_t run = 1;
  if (!runs.dims.empty() && runs.strides.back() == 1) {
    run = runs.dims.back();
    runs.dims.pop_back();
    runs.strides.pop_back();
  }
  const int64_t count = runs.count();
  const auto bytes = static_cast<int64_t>(width);
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = runs.offset;
    int64_t rest = i;
    for (size_t d = runs.dims.size(); d-- > 0;) {
      at += rest % runs.dims[d] * runs.strides[d];
      rest /= runs.dims[d];
    }
    std::memcpy(to + at * bytes, from + i * run * bytes,
                static_cast<size_t>(run) * width);
  }
}

}  // namespace hlo::cpu
