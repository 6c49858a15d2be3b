#include "interpreter/rules/exact_work.h"

#include <algorithm>

#include "interpreter/error.h"

namespace hlo {
namespace {

constexpr int64_t kMostWork = int64_t{1} << 42;

}  // namespace

void require_work(std::initializer_list<int64_t> factors) {
  if (std::ranges::find(factors, 0) != factors.end()) return;
  int64_t left = kMostWork;
  for (const int64_t factor : factors) left /= factor;
  require_evaluable(left > 0, "evaluate.work",
                    {"exact elimination of matrices this large would take more "
                     "than ",
                     Count{kMostWork, "step"}},
                    "it can be done for smaller ones only");
}

}  // namespace hlo
