#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "interpreter/plans/region/region.h"
#include "interpreter/rules/dimensions/scan_parts.h"
#include "interpreter/rules/plan.h"
#include "interpreter/rules/work.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

/// The elements of a slice that a step works on.
struct Piece {
  int64_t size;   // of a slice
  int64_t first;  // of it
  int64_t n;
};

/// Where the piece of each slice of an array lies.
template <typename Byte>
struct Slices {
  Byte* first;
  int64_t stride;

  Slices(std::span<Byte> bytes, ElementType type, const Piece& piece)
      : first(bytes.data() + piece.first * storage_bytes(type)),
        stride(piece.size * storage_bytes(type)) {}

  Byte* at(int64_t k) const { return first + k * stride; }
};

/// Runs all steps of a compiled body on some elements of each slice, which lie
/// side by side, so that the program needs only pointers to them.
void run_piece(const Region& body, Operands operands, const ScanParts& parts,
               const Piece& piece, std::vector<Literal>& values) {
  Region::Scratch scratch(body, piece.n);
  std::vector<Slices<const std::byte>> read;
  read.reserve(parts.inputs);
  for (const Literal& x : operands.first(parts.inputs)) {
    read.emplace_back(x.bytes(), x.type(), piece);
  }
  std::vector<Slices<std::byte>> written;
  written.reserve(values.size());
  for (Literal& x : values) {
    written.emplace_back(x.mutable_bytes(), x.type(), piece);
  }
  std::vector<const std::byte*> inputs(operands.size());
  std::vector<std::byte*> outputs(values.size());
  for (size_t i = 0; i < parts.carries; ++i) {
    std::byte* const carry = written[parts.outputs + i].at(0);
    inputs[parts.inputs + i] = outputs[parts.outputs + i] = carry;
  }
  for (int64_t step = 0; step < parts.steps; ++step) {
    const int64_t k = parts.slice_of(step);
    for (size_t i = 0; i < parts.inputs; ++i) inputs[i] = read[i].at(k);
    for (size_t i = 0; i < parts.outputs; ++i) outputs[i] = written[i].at(k);
    body.run(scratch, piece.n, inputs.data(), outputs.data());
  }
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
      slice.is_scalar() ? Region::Runs::kOneByOne : Region::Runs::kSideBySide,
      slice.dims);
  if (!body.is_compiled()) return std::nullopt;
  evaluator.budget().spend(
      saturating_product({parts.steps, body.instructions(), kWorkOfTurn}));
  std::vector<Literal> values = first_values(scan, operands, parts);
  const int64_t size = slice.element_count();
  for (int64_t first = 0; first < size; first += Region::kMaxElements) {
    const int64_t n = std::min(Region::kMaxElements, size - first);
    run_piece(body, operands, parts, {size, first, n}, values);
  }
  return parts.result(std::move(values));
}

}  // namespace

extern constinit const Plan plan_scan{.value = value};

}  // namespace hlo
