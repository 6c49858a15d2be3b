#include "interpreter/stablehlo/export/export_verbatim.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/rules/clone.h"
#include "interpreter/rules/op.h"
#include "interpreter/stablehlo/export/export_text.h"
#include "interpreter/stablehlo/mlir_words.h"
#include "interpreter/text/printer.h"

namespace hlo::stablehlo {

namespace {

/// Whether it does more than give its result: meets others, moves the state of
/// random numbers on, or says so.
bool has_effect(const Instruction& instruction) {
  const Op& op = *instruction.op;
  return op.communicate != nullptr || op.randomness == Randomness::kNumbers ||
         op.randomness == Randomness::kState ||
         instruction.get_or<bool>("custom_call_has_side_effect", false);
}

bool has_effect(const Module& module) {
  return std::ranges::any_of(module.computations, [](const auto& computation) {
    return std::ranges::any_of(
        computation->instructions,
        [](const auto& instruction) { return has_effect(*instruction); });
  });
}

}  // namespace

Leaves export_verbatim(Writer& writer, const Instruction& instruction) {
  Module module = extract(instruction);
  module.replica_count = writer.module().replica_count;
  module.num_partitions = writer.module().num_partitions;
  const std::string target = fmt::format("hlo.{}", instruction.op->name);
  return writer.add(
      {.name = "custom_call",
       .operands = writer.operands(instruction),
       .properties = fmt::format("call_target_name = {}, has_side_effect = {}, "
                                 "backend_config = {}",
                                 string_text(target), has_effect(module),
                                 string_text(text::print(module))),
       .results = leaf_shapes(instruction.shape)},
      nullptr);
}

}  // namespace hlo::stablehlo
