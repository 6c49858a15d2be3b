#pragma once

#include <cstddef>
#include <cstdint>

namespace hlo::cpu {

/// Memory of so many bytes, of any value, on a boundary of 64; large blocks may
/// be such as were given back before, whose pages the system need not clear
/// again. std::bad_alloc where there is none.
std::byte* take_block(size_t size);

/// Gives back what take_block(size) gave. Large blocks are kept for others that
/// take as many bytes, a bounded number of bytes of all: the last ones. What is
/// kept counts as held memory, and is freed where that is short.
void give_block(std::byte* block, size_t size) noexcept;

/// Frees what take_block(size) gave.
void free_block(std::byte* block, size_t size) noexcept;

/// Bytes that are kept now.
int64_t kept_bytes();

}  // namespace hlo::cpu
