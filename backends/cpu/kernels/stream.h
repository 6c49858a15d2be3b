#pragma once

#include <cstddef>

namespace hlo::cpu {

/// Bytes of an array that is written past the caches: it would not lie there
/// any more when it is read, and memory need not be read before it is written.
inline constexpr size_t kStreamed = size_t{16} << 20;

/// Copies so many bytes, whole lines of 64, to `to`, on a boundary of 64. Other
/// threads see them after end_stream().
void stream_bytes(const std::byte* from, size_t size, std::byte* to);

/// Before this thread tells others that something is done.
void end_stream();

}  // namespace hlo::cpu
