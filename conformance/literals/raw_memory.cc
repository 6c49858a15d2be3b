#include "conformance/literals/raw_memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/model/buffer_layout.h"
#include "interpreter/model/index_loops.h"

namespace hlo::conformance {
namespace {

constexpr int64_t kByte = 8;

int64_t slot_bits(const Shape& shape) {
  const int64_t asked = shape.layout ? shape.layout->element_size_in_bits : 0;
  return asked != 0 ? asked : storage_bytes(shape.element_type) * kByte;
}

int64_t prefix_bytes(const Shape& shape) {
  return shape.layout ? shape.layout->dynamic_shape_metadata_prefix_bytes : 0;
}

/// Bits from place `first` on, the highest one first.
std::string bits_at(std::span<const std::byte> bytes, int64_t first,
                    int64_t count) {
  std::string text;
  for (int64_t k = count; k-- > 0;) {
    const int64_t at = first + k;
    const auto byte =
        static_cast<unsigned>(bytes[static_cast<size_t>(at / kByte)]);
    text += ((byte >> (at % kByte)) & 1U) != 0 ? '1' : '0';
  }
  return text;
}

}  // namespace

std::optional<std::string> raw_difference(const Buffer& buffer) {
  const Shape& shape = buffer.shape;
  const Buffer right = store(load(buffer), shape);
  if (right.bytes == buffer.bytes) return std::nullopt;
  const int64_t width = slot_bits(shape);
  std::optional<std::string> difference;
  for_each_index(shape.dims, [&](const std::vector<int64_t>& index) {
    if (difference) return;
    const int64_t slot = linear_index(shape, index);
    const int64_t first = prefix_bytes(shape) * kByte + slot * width;
    const std::string is = bits_at(buffer.bytes, first, width);
    const std::string must = bits_at(right.bytes, first, width);
    if (is == must) return;
    difference = fmt::format(
        "in memory, slot {} (index [{}], byte {}) has the bits {} and must "
        "have {}",
        slot, fmt::join(index, ", "), first / kByte, is, must);
  });
  return difference;
}

}  // namespace hlo::conformance
