#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hlo::cpu {

/// How an array is read from memory that holds another: the element at an
/// index lies at offset + sum of index[d] * strides[d], counted in elements.
struct View {
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;
  int64_t offset = 0;

  /// Dense and row-major.
  static View dense(std::vector<int64_t> dims);

  int64_t count() const;
  /// Whether the elements lie one after the other in row-major order.
  bool is_contiguous() const;
  /// The stride of the last dimension of more than one element; 1 without.
  int64_t inner_stride() const;

  /// dims[order[0]], dims[order[1]], ...
  View permuted(std::span<const int64_t> order) const;
  /// Dimension d of this is dimension places[d] of the result; others repeat.
  View broadcast(std::span<const int64_t> places,
                 std::vector<int64_t> result) const;
  View reversed(std::span<const int64_t> dimensions) const;
  /// The elements in the same order under other dimensions; nullopt where no
  /// strides say that.
  std::optional<View> reshaped(std::vector<int64_t> result) const;
  /// As few dimensions as can be, with these elements in this order.
  View collapsed() const;

  friend bool operator==(const View&, const View&) = default;
};

/// Copies elements first ... first + count - 1 of the view, in row-major order,
/// to `to`. `from` is the memory that the view's offset counts from.
/// The width is 1, 2, 4, 8 or 16 bytes.
void copy_elements(const View& collapsed, size_t width, const std::byte* from,
                   int64_t first, int64_t count, std::byte* to);

/// Copies the elements at `from`, row-major, to where the view has them in the
/// memory `to`, which its offset counts from. No two lie at one place.
void write_elements(const View& view, size_t width, const std::byte* from,
                    std::byte* to);

/// Writes the element so many times. The width is 1, 2, 4, 8 or 16 bytes.
void repeat_element(const std::byte* element, size_t width, size_t count,
                    std::byte* to);

}  // namespace hlo::cpu
