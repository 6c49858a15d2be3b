#include "interpreter/rules/dimensions/slices.h"

#include <cstring>
#include <utility>
#include <vector>

namespace hlo {
namespace {

/// The slices of an array along dimension d: `outer` runs of elements that lie
/// `pitch` bytes apart in the array, each `bytes` long.
struct Slices {
  int64_t outer = 1;
  size_t bytes;
  size_t pitch;

  Slices(const Shape& array, int64_t d) {
    const auto at = static_cast<size_t>(d);
    int64_t inner = 1;
    for (size_t i = 0; i < array.dims.size(); ++i) {
      if (i < at) outer *= array.dims[i];
      if (i > at) inner *= array.dims[i];
    }
    bytes = static_cast<size_t>(inner * storage_bytes(array.element_type));
    pitch = bytes * static_cast<size_t>(array.dims[at]);
  }

  size_t first(int64_t k) const { return bytes * static_cast<size_t>(k); }
};

}  // namespace

Literal take_slice(const Literal& array, const Shape& shape, int64_t d,
                   int64_t k) {
  const Slices slices(array.shape(), d);
  Literal slice = Literal::uninitialized(shape);
  std::byte* to = slice.mutable_bytes().data();
  const std::byte* from = array.bytes().data() + slices.first(k);
  for (int64_t o = 0; o < slices.outer && slices.bytes > 0; ++o) {
    std::memcpy(to, from, slices.bytes);
    to += slices.bytes;
    from += slices.pitch;
  }
  if (!array.dynamic_sizes().empty()) {
    std::vector<int64_t> sizes = array.dynamic_sizes();
    sizes.erase(sizes.begin() + d);
    slice.set_dynamic_sizes(std::move(sizes));
  }
  return slice;
}

void put_slice(Literal& array, const Literal& slice, int64_t d, int64_t k) {
  const Slices slices(array.shape(), d);
  std::byte* to = array.mutable_bytes().data() + slices.first(k);
  const std::byte* from = slice.bytes().data();
  for (int64_t o = 0; o < slices.outer && slices.bytes > 0; ++o) {
    std::memcpy(to, from, slices.bytes);
    to += slices.pitch;
    from += slices.bytes;
  }
}

}  // namespace hlo
