#include "interpreter/run/future.h"

#include <memory>
#include <utility>

namespace hlo {

Future at_once(Literal value) {
  auto kept = std::make_shared<const Literal>(std::move(value));
  return {.poll = [kept = std::move(kept)] { return kept.get(); },
          .awaited = [] { return std::vector<int64_t>(); }};
}

}  // namespace hlo
