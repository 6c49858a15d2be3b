#include "backends/cpu/routines/make_routine.h"

#include <algorithm>

#include "backends/cpu/routines/batch_norm_routine.h"
#include "backends/cpu/routines/fft_routine.h"
#include "backends/cpu/routines/fold_routines.h"
#include "backends/cpu/routines/indexed_routines.h"
#include "backends/cpu/routines/pad_routine.h"
#include "backends/cpu/routines/products/byte_product_routines.h"
#include "backends/cpu/routines/products/dot_routine.h"
#include "backends/cpu/routines/products/number_convolution_routine.h"
#include "backends/cpu/routines/sort_routine.h"
#include "backends/cpu/routines/topk_routine.h"
#include "backends/cpu/routines/window_routine.h"
#include "backends/cpu/routines/window_scatter_routine.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

using Maker = std::optional<Routine> (*)(const Instruction&);

struct Entry {
  std::string_view name;
  Maker make;
};

std::optional<Routine> convolution_routine(const Instruction& convolution) {
  if (auto bytes = byte_convolution_routine(convolution)) return bytes;
  return number_convolution_routine(convolution);
}

constexpr Entry kEntries[] = {{"batch-norm-grad", batch_norm_routine},
                              {"batch-norm-inference", batch_norm_routine},
                              {"batch-norm-training", batch_norm_routine},
                              {"convolution", convolution_routine},
                              {"dot", dot_routine},
                              {"fft", fft_routine},
                              {"gather", gather_routine},
                              {"pad", pad_routine},
                              {"reduce", reduce_routine},
                              {"reduce-window", window_routine},
                              {"scatter", scatter_routine},
                              {"select-and-scatter", window_scatter_routine},
                              {"sort", sort_routine},
                              {"topk", topk_routine}};

bool is_plain(const Shape& shape) {
  return shape.is_array() && !shape.has_dynamic_dimensions() &&
         shape.element_count() > 0;
}

/// Whether all operands and results are arrays with elements.
bool is_plain(const Instruction& instruction) {
  const auto results = leaves(instruction.shape);
  return std::ranges::all_of(
             results, [](const Shape* leaf) { return is_plain(*leaf); }) &&
         std::ranges::all_of(instruction.operands,
                             [](const Instruction* operand) {
                               return is_plain(operand->shape);
                             });
}

}  // namespace

std::optional<Routine> make_routine(const Instruction& instruction) {
  for (const Entry& entry : kEntries) {
    if (entry.name != instruction.op->name) continue;
    return is_plain(instruction) ? entry.make(instruction) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace hlo::cpu
