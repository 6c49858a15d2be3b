#include "conformance/explain/recording/find_origins.h"

#include <algorithm>
#include <array>

namespace hlo::conformance {
namespace {

uint64_t mask_of(int bits) {
  return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
}

/// The element with every bit turned.
Scalar turned(const Scalar& scalar) {
  const bool pair = is_complex(scalar.type);
  const uint64_t mask = mask_of(bits(scalar.type) / (pair ? 2 : 1));
  Scalar other = scalar;
  other.bits[0] ^= scalar.type == ElementType::kPred ? 1 : mask;
  if (pair) other.bits[1] ^= mask;
  return other;
}

/// The element with every bit 0: of a byte that becomes a truth value turned
/// bits may be as true as they were.
Scalar cleared(const Scalar& scalar) { return {scalar.type, {}}; }

/// The array with the elements [begin, end) changed.
Literal with_changed(Literal array, int64_t begin, int64_t end,
                     Scalar (*change)(const Scalar&)) {
  for (int64_t i = begin; i < end; ++i) array.set(i, change(array.at(i)));
  return array;
}

class Search {
 public:
  Search(const std::vector<Literal>& arrays,
         const std::function<Scalar(const std::vector<Literal>&)>& result)
      : arrays_(arrays), result_(result), expected_(result(arrays)) {}

  /// The first element in [begin, end) that the result changes with.
  std::optional<int64_t> first(size_t array, int64_t begin, int64_t end) const {
    if (begin >= end || !changes(array, begin, end)) return std::nullopt;
    while (end - begin > 1) {
      const int64_t middle = begin + (end - begin) / 2;
      (changes(array, begin, middle) ? end : begin) = middle;
    }
    return begin;
  }

 private:
  bool changes(size_t array, int64_t begin, int64_t end) const {
    return std::ranges::any_of(
        std::array{turned, cleared}, [&](Scalar (*change)(const Scalar&)) {
          std::vector<Literal> changed = arrays_;
          changed[array] = with_changed(changed[array], begin, end, change);
          return result_(changed) != expected_;
        });
  }

  const std::vector<Literal>& arrays_;
  const std::function<Scalar(const std::vector<Literal>&)>& result_;
  Scalar expected_;
};

}  // namespace

std::vector<Origin> find_origins(
    const std::vector<Literal>& arrays, const std::vector<size_t>& movable,
    size_t most,
    const std::function<Scalar(const std::vector<Literal>&)>& result) {
  const Search search(arrays, result);
  std::vector<Origin> found;
  for (const size_t array : movable) {
    const int64_t count = arrays[array].element_count();
    int64_t begin = 0;
    while (found.size() < most) {
      const auto position = search.first(array, begin, count);
      if (!position) break;
      found.push_back({array, *position});
      begin = *position + 1;
    }
  }
  return found;
}

}  // namespace hlo::conformance
