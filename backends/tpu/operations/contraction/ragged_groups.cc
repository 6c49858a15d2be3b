#include "backends/tpu/operations/contraction/ragged_groups.h"

#include <algorithm>

#include "backends/tpu/machine/scalar_read.h"
#include "backends/tpu/machine/scalar_write.h"
#include "backends/tpu/program/assign_layout.h"

namespace hlo::tpu {
namespace {

__extension__ using Wide = __int128;

}  // namespace

RaggedGroups::RaggedGroups(Machine& machine, const TiledArray& sizes,
                           int64_t length)
    : machine_(machine),
      length_(length),
      count_(sizes.shape.dims.back()),
      has_one_list_(sizes.shape.rank() == 1) {
  const int64_t numbers = sizes.shape.element_count();
  if (numbers == 0) return;
  const int64_t lists = numbers / count_;
  covered_ = new_array(
      machine.memory, placed(*machine.generation,
                             Shape::array(ElementType::kS64, {lists, count_})));
  for (int64_t list = 0; list < lists; ++list) add_list(sizes, list);
}

void RaggedGroups::add_list(const TiledArray& sizes, int64_t list) {
  Wide end = 0;  // of the group
  Wide most = 0;
  for (int64_t g = 0; g < count_; ++g) {
    const int64_t at = list * count_ + g;
    end += integer_at(machine_, sizes, at);
    most = std::max(most, end);
    write_integer(machine_, *covered_, at,
                  static_cast<int64_t>(std::clamp<Wide>(most, 0, length_)));
  }
}

/// How many indices the first `groups` groups cover.
int64_t RaggedGroups::covered(int64_t list, int64_t groups) const {
  if (groups == 0 || !covered_) return 0;
  const bool is_first = has_one_list_ || machine_.has(Fault::kFirstListForAll);
  const int64_t first = is_first ? 0 : list * count_;
  return integer_at(machine_, *covered_, first + groups - 1);
}

IndexRange RaggedGroups::indices_of(int64_t list, int64_t group) const {
  const int64_t begin = covered(list, group);
  return {begin, group == count_ ? length_ : covered(list, group + 1)};
}

int64_t RaggedGroups::group_of(int64_t list, int64_t index) const {
  int64_t first = 0;
  int64_t behind = count_;  // the first group that may have it, and the last
  while (first < behind) {
    const int64_t middle = first + (behind - first) / 2;
    if (covered(list, middle + 1) > index) {
      behind = middle;
    } else {
      first = middle + 1;
    }
  }
  return first;
}

}  // namespace hlo::tpu
