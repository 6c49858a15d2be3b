#include "interpreter/foreign/call_meaning.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "interpreter/definition/numbers/extended_real.h"
#include "interpreter/definition/numbers/scalar_codes.h"
#include "interpreter/error.h"
#include "interpreter/rules/attributes/declared_check.h"
#include "interpreter/rules/devices/parallel_programs.h"
#include "interpreter/rules/op.h"

namespace hlo {
namespace {

// Targets that mark a value, for the partitioner or for checks, and do not
// change it.
constexpr std::array kMarkers = std::to_array<std::string_view>(
    {"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape",
     "annotate_device_placement", "interpreter.probe"});

bool marks(std::string_view target) {
  return target.starts_with("xla.sdy.") ||
         std::ranges::find(kMarkers, target) != kMarkers.end();
}

bool compares(std::string_view target) {
  return target.starts_with("check.") && target.ends_with(".eq");
}

bool can_mark(const Instruction& custom_call) {
  return custom_call.operands.size() == 1 &&
         compatible(custom_call.operand_shape(0), custom_call.shape,
                    /*ignore_dynamic=*/true);
}

bool can_compare(const Instruction& custom_call) {
  return custom_call.operands.size() == 2 &&
         custom_call.operand_shape(0).is_array() &&
         compatible(custom_call.operand_shape(0), custom_call.operand_shape(1),
                    /*ignore_dynamic=*/true) &&
         compatible(custom_call.shape, Shape::scalar(ElementType::kPred));
}

bool is_equal(uint64_t a, uint64_t b, ElementType type) {
  if (a == b || !is_float(type)) return a == b;
  return definition::decode(a, type) == definition::decode(b, type);
}

}  // namespace

CallMeaning meaning_of(const Instruction& custom_call) {
  const auto& target = custom_call.get<std::string>("custom_call_target");
  if (is_run_parallel(custom_call)) return CallMeaning::kPrograms;
  if (is_declared_check(custom_call)) return CallMeaning::kCheck;
  if (marks(target)) {
    return can_mark(custom_call) ? CallMeaning::kMark : CallMeaning::kMisused;
  }
  if (compares(target)) {
    return can_compare(custom_call) ? CallMeaning::kEquality
                                    : CallMeaning::kMisused;
  }
  return CallMeaning::kForeign;
}

bool are_equal(const ElementBits& a, const ElementBits& b, ElementType type) {
  const ElementType part = component_type(type);
  return is_equal(a[0], b[0], part) && is_equal(a[1], b[1], part);
}

void require_callable(const Instruction& custom_call, bool is_whole) {
  require_evaluable(meaning_of(custom_call) != CallMeaning::kMisused,
                    "custom-call.target",
                    {"there is no function \"",
                     custom_call.get<std::string>("custom_call_target"),
                     "\" for these shapes"},
                    "the target must be known");
  require_evaluable(
      is_whole, "custom-call.target",
      {"an operand is smaller at run time than its bounds"},
      "a function can take only arrays that are as large as their bounds");
}

}  // namespace hlo
