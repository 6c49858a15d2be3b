#include "backends/cpu/arrays/huge_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace hlo::cpu {

void prefer_huge_pages(void* memory, size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr uintptr_t kPage = uintptr_t{2} << 20;
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t first = (begin + kPage - 1) / kPage * kPage;
  const uintptr_t last = (begin + bytes) / kPage * kPage;
  if (last <= first) return;
  // A system that refuses has pages of the usual size.
  static_cast<void>(
      madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
#else
  static_cast<void>(memory);
  static_cast<void>(bytes);
#endif
}

}  // namespace hlo::cpu
