#include "backends/tpu/operations/contraction/scheme.h"

#include <algorithm>
#include <array>

#include "interpreter/numeric/format/float_codes.h"

namespace hlo::tpu {
namespace {

/// The bits of the numbers that cells multiply exactly into f32.
constexpr int kCellBits = 11;

ElementType component(ElementType type) {
  if (type == ElementType::kC64) return ElementType::kF32;
  if (type == ElementType::kC128) return ElementType::kF64;
  return type;
}

/// The precision of an operand's elements when they have the result's type.
int precision_of(const Instruction& instruction, size_t operand) {
  const ElementType from =
      component(instruction.operand_shape(operand).element_type);
  const ElementType to = component(instruction.shape.element_type);
  const int precision = numeric::format(to).precision();
  if (!is_float(from)) return precision;
  return std::min(precision, numeric::format(from).precision());
}

bool is_f32(const Instruction& instruction) {
  return component(instruction.operand_shape(0).element_type) ==
             ElementType::kF32 &&
         component(instruction.operand_shape(1).element_type) ==
             ElementType::kF32 &&
         component(instruction.shape.element_type) == ElementType::kF32;
}

bool is_narrow(const Instruction& instruction) {
  return precision_of(instruction, 0) <= kCellBits &&
         precision_of(instruction, 1) <= kCellBits;
}

bool is_scaled(const Instruction& instruction) {
  return instruction.operands.size() == 4;
}

Sums sums_of(const Instruction& instruction, MatrixMode mode) {
  const ElementType result = component(instruction.shape.element_type);
  if (!is_float(result)) return Sums::kIntegers;
  if (result == ElementType::kF64) return Sums::kCompensated;
  const bool fits = is_f32(instruction) || is_narrow(instruction);
  return mode == MatrixMode::kExact || is_scaled(instruction) || !fits
             ? Sums::kF64
             : Sums::kF32;
}

/// How many numbers of bf16 stand for one of f32, and how far down products of
/// them count: those of pieces i and j with i + j below that.
struct Splitting {
  int64_t pieces;
  int64_t reach;
};

Splitting splitting_of(MatrixMode mode) {
  switch (mode) {
    case MatrixMode::kBf16x3:
      return {2, 2};
    case MatrixMode::kBf16x6:
      return {3, 3};
    case MatrixMode::kBf16x9:
      return {3, 5};
    default:
      return {1, 1};
  }
}

/// The products of the pieces of two components, the smallest first.
void append_pairs(Scheme& scheme, int64_t left, int64_t right,
                  const Splitting& splitting) {
  const int64_t pieces = scheme.lhs.pieces;
  for (int64_t order = splitting.reach - 1; order >= 0; --order) {
    for (int64_t i = std::min(order, pieces - 1); i >= 0; --i) {
      if (order - i >= pieces) continue;
      scheme.pairs.push_back({.lhs = left * pieces + i,
                              .rhs = right * pieces + order - i,
                              .is_finite = order > 0});
    }
  }
}

}  // namespace

Scheme scheme_of(const Instruction& instruction, MatrixMode mode) {
  const ElementType type = instruction.shape.element_type;
  Scheme scheme{.element = type,
                .is_scaled = is_scaled(instruction),
                .sums = sums_of(instruction, mode),
                .lhs = {.components = is_complex(type) ? 2 : 1},
                .rhs = {},
                .pairs = {}};
  Splitting splitting{1, 1};
  if (scheme.sums == Sums::kF32 && is_f32(instruction)) {
    splitting = splitting_of(mode);
    scheme.lhs.is_rounded = true;
  }
  scheme.lhs.pieces = splitting.pieces;
  scheme.rhs = scheme.lhs;
  constexpr std::array<std::array<int64_t, 2>, 4> kProducts = {
      {{0, 0}, {1, 1}, {0, 1}, {1, 0}}};
  const size_t products = is_complex(type) ? kProducts.size() : 1;
  for (size_t k = 0; k < products; ++k) {
    append_pairs(scheme, kProducts[k][0], kProducts[k][1], splitting);
  }
  return scheme;
}

}  // namespace hlo::tpu
