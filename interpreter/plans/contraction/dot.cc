#include <optional>

#include "interpreter/plans/contraction/dot_map.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

std::optional<Contraction> contraction(const Instruction& dot) {
  return dot_products(dot);
}

}  // namespace

extern constinit const Plan plan_dot{.contraction = contraction};

}  // namespace hlo
