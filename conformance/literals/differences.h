#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "interpreter/model/literal.h"
#include "interpreter/model/storage.h"
#include "interpreter/run/shared_limits.h"

namespace hlo::conformance {

/// About how long it takes to say what an element may be.
inline constexpr int64_t kWorkOfDifference = 256;

/// Calls visit(i) for each element whose storage, kWidth bytes, differs.
template <size_t kWidth, typename Visit>
void for_each_different(const std::byte* a, const std::byte* b, int64_t n,
                        const Visit& visit) {
  constexpr int64_t kBlock = 1024;
  constexpr auto kStep = static_cast<int64_t>(kWidth);
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    const int64_t end = std::min(begin + kBlock, n);
    const auto bytes = static_cast<size_t>((end - begin) * kStep);
    if (std::memcmp(a + begin * kStep, b + begin * kStep, bytes) == 0) continue;
    for (int64_t i = begin; i < end; ++i) {
      if (std::memcmp(a + i * kStep, b + i * kStep, kWidth) != 0) visit(i);
    }
  }
}

/// Whether the element at row-major position i exists at run time.
inline bool exists(const Literal& array, int64_t i) {
  const std::vector<int64_t>& sizes = array.dynamic_sizes();
  return sizes.empty() || std::ranges::equal(delinearize(i, array.shape().dims),
                                             sizes, std::ranges::less{});
}

/// Whether the second array is there, and has the same bits.
inline bool is_same(const Literal& reference, const Literal* observed) {
  return observed != nullptr &&
         std::ranges::equal(reference.bytes(), observed->bytes());
}

/// Calls visit(i) for each element of two arrays of the same shape whose bits
/// are not the same, in order; for all where there is no second one. What lies
/// past the sizes that the first one has at run time is no element. Evaluate
/// error "evaluate.work" where a shared budget has no more.
template <typename Visit>
void for_each_difference(const Literal& reference, const Literal* observed,
                         const Visit& visit) {
  const int64_t n = reference.element_count();
  const auto visit_existing = [&](int64_t i) {
    spend_shared(kWorkOfDifference);
    if (exists(reference, i)) visit(i);
  };
  if (observed == nullptr) {
    for (int64_t i = 0; i < n; ++i) visit_existing(i);
    return;
  }
  const std::byte* a = reference.bytes().data();
  const std::byte* b = observed->bytes().data();
  with_storage(storage_bytes(reference.type()), [&](auto element) {
    for_each_different<sizeof(element)>(a, b, n, visit_existing);
  });
}

}  // namespace hlo::conformance
