#include "backends/tpu/counts/counts_text.h"

#include <fmt/format.h>

#include <string_view>

#include "backends/tpu/counts/cycle_model.h"
#include "backends/tpu/counts/roofline.h"
#include "interpreter/counted.h"

namespace hlo::tpu {
namespace {

std::string row(std::string_view unit, int64_t cycles,
                const std::string& what) {
  return fmt::format("{:<8}{:>14}  {}\n", unit, cycles, what);
}

double percent(int64_t part, int64_t of) {
  constexpr double kPercent = 100;
  return of == 0
             ? 0
             : kPercent * static_cast<double>(part) / static_cast<double>(of);
}

std::string outside(int64_t bytes) {
  if (bytes == 0) return "";
  return ", " + counted(bytes, "byte") + " outside of the scratch memory";
}

}  // namespace

std::string counts_text(const Counters& all, const Counters& relayouts,
                        const Generation& generation) {
  const Cycles cycles = cycles_of(all, generation);
  std::string text = fmt::format("{:<8}{:>14}\n", "unit", "cycles");
  text += row("memory", cycles.memory,
              counted(all.loads, "load") + ", " + counted(all.stores, "store") +
                  " of registers");
  text += row("lanes", cycles.lanes,
              counted(all.vector_operations, "operation") + " on registers, " +
                  counted(all.shifts, "move") + " of lanes");
  text += row("matrix", cycles.matrix,
              counted(all.matrix_passes, "pass", "passes"));
  text += row("scalar", cycles.scalar,
              counted(all.elements_one_by_one, "element") + " one by one" +
                  outside(all.untiled_bytes));
  text += fmt::format("cycles: {}, or {} where units work beside each other\n",
                      cycles.sum(), cycles.most());
  text += fmt::format("moved: {}, {} of them padding ({:.1f} %)\n",
                      counted(all.bytes_moved, "byte"), all.padding_moved,
                      percent(all.padding_moved, all.bytes_moved));
  text +=
      fmt::format("re-layouts: {}, {} of these cycles, {}\n",
                  relayouts.relayouts, cycles_of(relayouts, generation).sum(),
                  counted(relayouts.bytes_moved, "byte"));
  if (all.splits > 0) {
    text +=
        fmt::format("splits: {}, into {}\n", counted(all.splits, "operation"),
                    counted(all.pieces, "piece"));
  }
  return text + roofline({.operations = operations_of(all, generation),
                          .bytes = all.bytes_moved,
                          .cycles = cycles.sum()},
                         generation);
}

}  // namespace hlo::tpu
