#include "interpreter/stablehlo/export/export_verbatim.h"

#include <fmt/format.h>

#include "interpreter/rules/clone.h"
#include "interpreter/rules/op.h"
#include "interpreter/stablehlo/export/export_text.h"
#include "interpreter/stablehlo/mlir_words.h"
#include "interpreter/text/printer.h"

namespace hlo::stablehlo {

Leaves export_verbatim(Writer& writer, const Instruction& instruction) {
  Module module = extract(instruction);
  module.replica_count = writer.module().replica_count;
  module.num_partitions = writer.module().num_partitions;
  const bool has_effect = instruction.op->communicate != nullptr;
  const std::string target = fmt::format("hlo.{}", instruction.op->name);
  return writer.add(
      {.name = "custom_call",
       .operands = writer.operands(instruction),
       .properties = fmt::format("call_target_name = {}, has_side_effect = {}, "
                                 "backend_config = {}",
                                 string_text(target), has_effect,
                                 string_text(text::print(module))),
       .results = leaf_shapes(instruction.shape)},
      nullptr);
}

}  // namespace hlo::stablehlo
