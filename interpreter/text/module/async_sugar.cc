#include "interpreter/text/module/async_sugar.h"

#include <string>

namespace hlo::text {
namespace {

constexpr std::string_view kStages[] = {"start", "update", "done"};

}  // namespace

const Op* find_sugared_op(std::string_view opcode, std::string_view& stage) {
  for (const std::string_view word : kStages) {
    const std::string suffix = "-" + std::string(word);
    if (!opcode.ends_with(suffix)) continue;
    const std::string base{opcode.substr(0, opcode.size() - suffix.size())};
    stage = word;
    // Operations with halves of their own (copy, send, ...) have no sugar.
    return find_op(base + "-done") == nullptr ? find_op(base) : nullptr;
  }
  return nullptr;
}

}  // namespace hlo::text
