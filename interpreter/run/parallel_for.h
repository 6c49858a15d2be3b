#pragma once

#include <cstdint>
#include <functional>

namespace hlo {

/// Calls body(begin, end) for a partition of [0, n) in pieces of at least
/// `grain`, on up to `threads` threads, and waits. The body must write to
/// places of its own only. The first exception of any piece is thrown again.
void parallel_for(int threads, int64_t n, int64_t grain,
                  const std::function<void(int64_t, int64_t)>& body);

}  // namespace hlo
