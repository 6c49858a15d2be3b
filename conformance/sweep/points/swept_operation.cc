#include "conformance/sweep/points/swept_operation.h"

#include <fmt/format.h>

#include <vector>

#include "conformance/numerics/rival.h"
#include "interpreter/error.h"
#include "interpreter/nearest.h"
#include "interpreter/shortened.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

bool can_be_swept(const Op& op) {
  return op.element != nullptr && op.facts.result_type != nullptr &&
         op.min_operands == op.max_operands &&
         (op.min_operands == 1 || op.min_operands == 2);
}

const Op* op_of_function(std::string_view name) {
  const Rival* const rival = find_rival(name);
  if (rival == nullptr) return nullptr;
  for (const Op* op : all_ops()) {
    const auto* one = std::get_if<numeric::Function>(&rival->function);
    const auto* two = std::get_if<numeric::Function2>(&rival->function);
    if (one != nullptr && op->accuracy.function == *one) return op;
    if (two != nullptr && op->accuracy.function2 == *two) return op;
  }
  return nullptr;
}

[[noreturn]] void fail_to_find(std::string_view name) {
  std::vector<std::string> names;
  for (const Op* op : all_ops()) {
    if (can_be_swept(*op)) names.emplace_back(op->name);
  }
  throw Error(Phase::kParse, "sweep.operation",
              fmt::format("the operation is {}{}, but it must be an "
                          "element-wise one of one or two operands",
                          shortened(name), suggestion(name, names)));
}

/// Whether one element may be swept: its parts are no wider than a code.
bool has_codes(ElementType type) {
  return is_complex(type) || info(type).bits <= 64;
}

}  // namespace

Module SweptOperation::on(int64_t n) const {
  const std::string shape = fmt::format("{}[{}]", name(type), n);
  const std::string_view second = arity == 2 ? ", y" : "";
  std::string text = "HloModule sweep\n\nENTRY main {\n";
  text += fmt::format("  x = {} parameter(0)\n", shape);
  if (arity == 2) text += fmt::format("  y = {} parameter(1)\n", shape);
  text += fmt::format("  ROOT r = {} {}(x{})\n}}\n", shape, op->name, second);
  return verified_module(text);
}

SweptOperation swept_operation(std::string_view name, std::string_view type) {
  SweptOperation swept;
  swept.op = find_op(name);
  if (swept.op == nullptr) swept.op = op_of_function(name);
  if (swept.op == nullptr || !can_be_swept(*swept.op)) fail_to_find(name);
  const auto found = find_type(type);
  const bool known = found && has_codes(*found);
  const auto result = known ? swept.op->facts.result_type(*found)
                            : std::optional<ElementType>();
  if (!known || result != found) {
    throw Error(Phase::kParse, "sweep.type",
                fmt::format("the type is {}, but it must be one that {} "
                            "takes and returns",
                            shortened(type), swept.op->name));
  }
  swept.type = *found;
  swept.arity = static_cast<size_t>(swept.op->min_operands);
  try {
    swept.on(1);
  } catch (const Error& error) {
    throw Error(
        Phase::kParse, "sweep.operation",
        fmt::format("{} of {} is refused ({}), but it must need no "
                    "attributes",
                    swept.op->name, hlo::name(swept.type), error.rule()));
  }
  return swept;
}

}  // namespace hlo::conformance
