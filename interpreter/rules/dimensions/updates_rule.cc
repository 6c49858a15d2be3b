#include "interpreter/rules/dimensions/updates_rule.h"

#include "interpreter/rules/dimensions/indices.h"

namespace hlo {

std::vector<Update> in_order(const Updates& updates) {
  const Ints& to = updates.initial[0].shape().dims;
  const Ints& from = updates.sources[0].shape().dims;
  std::vector<Update> found;
  Index source(from.size());
  for_each_index(chosen(from, updates.order), [&](const Index& turn) {
    place(source, updates.order, turn);
    if (const auto target = updates.target(source)) {
      found.push_back({linearize(*target, to), linearize(source, from)});
    }
  });
  return found;
}

}  // namespace hlo
