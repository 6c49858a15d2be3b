#include <algorithm>
#include <utility>
#include <vector>

#include "interpreter/plans/region/region.h"
#include "interpreter/rules/dimensions/scan_parts.h"
#include "interpreter/rules/plan.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

/// The elements of a slice that a step works on.
struct Piece {
  int64_t size;   // of a slice
  int64_t first;  // of it
  int64_t n;
};

/// Runs all steps of a compiled body on some elements of each slice, which lie
/// side by side, so that the program needs only pointers to them.
void run_piece(const Region& body, Operands operands, const ScanParts& parts,
               const Piece& piece, std::vector<Literal>& values) {
  Region::Scratch scratch(body, piece.n);
  const auto offset = [&](const Literal& array, int64_t slice) {
    return (slice * piece.size + piece.first) * storage_bytes(array.type());
  };
  std::vector<const std::byte*> inputs(operands.size());
  std::vector<std::byte*> outputs(values.size());
  for (size_t i = 0; i < parts.carries; ++i) {
    Literal& carry = values[parts.outputs + i];
    std::byte* const to = carry.mutable_bytes().data() + offset(carry, 0);
    inputs[parts.inputs + i] = to;
    outputs[parts.outputs + i] = to;
  }
  for (int64_t step = 0; step < parts.steps; ++step) {
    const int64_t k = parts.slice_of(step);
    for (size_t i = 0; i < parts.inputs; ++i) {
      inputs[i] = operands[i].bytes().data() + offset(operands[i], k);
    }
    for (size_t i = 0; i < parts.outputs; ++i) {
      outputs[i] = values[i].mutable_bytes().data() + offset(values[i], k);
    }
    body.run(scratch, piece.n, inputs.data(), outputs.data());
  }
  scratch.settle();
}

/// Whether each element of a slice may go through all steps by itself: the
/// slices are scalars, or arrays that are not interleaved.
bool is_separable(Operands operands, const ScanParts& parts) {
  const Ints& dims = parts.body->parameters[0]->shape.dims;
  const bool is_interleaved =
      std::any_of(dims.begin(), dims.begin() + parts.d,
                  [](int64_t size) { return size != 1; });
  const bool is_sized = std::ranges::any_of(
      operands, [](const Literal& x) { return !x.dynamic_sizes().empty(); });
  return !is_interleaved && (!is_sized || dims.empty());
}

/// The value by a compiled body: on scalars, or element-wise on arrays, of
/// which an instruction is one step and not one for each element.
std::optional<Literal> value(const Instruction& scan, Operands operands,
                             Evaluator& evaluator) {
  const ScanParts parts(scan, operands);
  if (!is_separable(operands, parts)) return std::nullopt;
  const Shape& slice = parts.body->parameters[0]->shape;
  const Region body(
      *parts.body, evaluator,
      slice.is_scalar() ? Region::Steps::kAll : Region::Steps::kOfLoops,
      slice.dims);
  if (!body.is_compiled()) return std::nullopt;
  if (!slice.is_scalar()) evaluator.spend(parts.steps * body.instructions());
  std::vector<Literal> values = first_values(scan, operands, parts);
  const int64_t size = slice.element_count();
  for (int64_t first = 0; first < size; first += Region::kMaxElements) {
    const int64_t n = std::min(Region::kMaxElements, size - first);
    run_piece(body, operands, parts, {size, first, n}, values);
  }
  return Literal::tuple(std::move(values));
}

}  // namespace

extern constinit const Plan plan_scan{.value = value};

}  // namespace hlo
