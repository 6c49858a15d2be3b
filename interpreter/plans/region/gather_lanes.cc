#include "interpreter/plans/region/gather_lanes.h"

#include "interpreter/model/storage.h"

namespace hlo {
namespace {

template <typename T>
void gather(const std::byte* source, const std::vector<int64_t>& positions,
            std::byte* dense) {
  const auto* from = reinterpret_cast<const T*>(source);
  auto* to = reinterpret_cast<T*>(dense);
  for (size_t i = 0; i < positions.size(); ++i) to[i] = from[positions[i]];
}

template <typename T>
void spread(const std::byte* dense, const std::vector<int64_t>& positions,
            std::byte* target) {
  const auto* from = reinterpret_cast<const T*>(dense);
  auto* to = reinterpret_cast<T*>(target);
  for (size_t i = 0; i < positions.size(); ++i) to[positions[i]] = from[i];
}

}  // namespace

void gather_elements(int bytes, const std::byte* source,
                     const std::vector<int64_t>& positions, std::byte* dense) {
  with_storage(bytes, [&](auto element) {
    gather<decltype(element)>(source, positions, dense);
  });
}

void spread_elements(int bytes, const std::byte* dense,
                     const std::vector<int64_t>& positions, std::byte* target) {
  with_storage(bytes, [&](auto element) {
    spread<decltype(element)>(dense, positions, target);
  });
}

}  // namespace hlo
