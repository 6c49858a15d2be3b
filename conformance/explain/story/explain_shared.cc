#include "conformance/explain/story/explain_shared.h"

#include <optional>
#include <utility>

#include "conformance/explain/recording/element.h"

namespace hlo::conformance {
namespace {

/// Which part of the value shares the array's memory.
std::optional<Ints> shared_part(const Literal& value, const Literal& array) {
  if (value.shape().is_array()) {
    const bool is_shared = value.type() == array.type() &&
                           value.shape().dims == array.shape().dims &&
                           value.bytes().data() == array.bytes().data();
    return is_shared ? std::optional(Ints{}) : std::nullopt;
  }
  if (!value.shape().is_tuple()) return std::nullopt;
  for (size_t i = 0; i < value.elements().size(); ++i) {
    auto inner = shared_part(value.elements()[i], array);
    if (!inner) continue;
    inner->insert(inner->begin(), static_cast<int64_t>(i));
    return inner;
  }
  return std::nullopt;
}

}  // namespace

bool explain_shared(Story& story, const Observed& run) {
  const Point& point = story.point();
  for (size_t k = 0; k < run.operands.size(); ++k) {
    const auto part = shared_part(run.operands[k], point.array);
    if (!part) continue;
    const Instruction& operand = *run.instruction->operands[k];
    const Scalar from = part_of(run.operands[k], *part).at(point.position);
    story.use({&operand, *part, point.index});
    story.copy_of(from, element_name(operand, *part, point.index) + " = " +
                            value_text(from));
    return true;
  }
  return false;
}

}  // namespace hlo::conformance
