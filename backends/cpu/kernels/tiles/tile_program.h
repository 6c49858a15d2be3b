#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/cpu/kernels/stored.h"
#include "backends/cpu/kernels/view.h"

namespace hlo::cpu {

/// An operation on lanes of 32 bits: f32, s32, or pred (0 or 1); a lane of f32
/// may hold a number of a narrower type. Names are those of HLO; the type is
/// that of the operands.
enum class Code : uint8_t {
  kAddF32,
  kSubtractF32,
  kMultiplyF32,
  kDivideF32,
  kMaximumF32,
  kMinimumF32,
  kNegateF32,
  kAbsF32,
  kSqrtF32,
  kRsqrtF32,
  kExponentialF32,
  kExponentialMinusOneF32,
  kLogF32,
  kLogPlusOneF32,
  kTanhF32,
  kLogisticF32,
  kSineF32,
  kCosineF32,
  kErfF32,
  kPowerF32,
  kExponentialOfDifferenceF32,  // e^(x - y): join_operations.h
  kFastDivideF32,               // run_fast_function.h
  kFastRsqrtF32,
  kFastExponentialF32,
  kFastLogF32,
  kFastTanhF32,
  kFastLogisticF32,
  kFastErfF32,
  kSignF32,
  kFloorF32,
  kCeilF32,
  kRoundEvenF32,
  kEqualF32,
  kNotEqualF32,
  kLessF32,
  kLessEqualF32,
  kAddS32,
  kSubtractS32,
  kMultiplyS32,
  kMaximumS32,
  kMinimumS32,
  kNegateS32,
  kEqualS32,
  kNotEqualS32,
  kLessS32,
  kLessEqualS32,
  kAnd,
  kOr,
  kXor,
  kNotPred,
  kNotS32,
  kSelect,
  kClampF32,
  kS32ToF32,
  kF32ToS32,
  kIsNotZeroF32,
  kIsNotZeroS32,
  kCopy,
  kQuiet,        // a NaN is quiet
  kRoundToBf16,  // to the nearest number of the type, ties to even
  kRoundToF16,
};

struct TileOp {
  Code code = Code::kAddF32;
  uint16_t out = 0;
  uint16_t operands[3] = {};
};

/// An array that a program reads.
struct TileInput {
  View view;
  Stored stored = Stored::kWord;
  friend bool operator==(const TileInput&, const TileInput&) = default;
};

/// Element-wise operations over arrays of `count` elements, computed tile by
/// tile. Registers hold one tile each; the first ones are the inputs.
struct TileProgram {
  std::vector<TileInput> inputs;
  std::vector<TileOp> ops;  // the last one writes the result
  size_t registers = 0;
  Stored result = Stored::kWord;  // as which it holds its type's numbers
  int64_t count = 0;
};

/// Most lanes of a tile.
inline constexpr int64_t kMostLanes = 2048;

/// Computes the result from the memory of the inputs. `to` may be the memory
/// of a contiguous input of the result's width.
void run_tiles(const TileProgram& program,
               std::span<const std::byte* const> inputs, std::byte* to);

/// Only elements first ... last - 1 of the result, by this thread.
void run_tiles(const TileProgram& program,
               std::span<const std::byte* const> inputs, std::byte* to,
               int64_t first, int64_t last);

/// Writes the view's elements to `to`, row-major.
void copy_view(const View& view, size_t width, const std::byte* from,
               std::byte* to);

/// Writes the view's elements, row-major, in runs of so many, which begin
/// `step` bytes one after the other.
void copy_runs(const View& view, size_t width, const std::byte* from,
               int64_t run, std::byte* to, int64_t step);

/// Where the lanes of a register are.
struct Register {
  std::byte* first = nullptr;
  /// Lane i is number i & mask from there: with 0 the first kFewestLanes, which
  /// are the same number, stand for all lanes. Results have a mask of all bits.
  size_t mask = SIZE_MAX;
};

/// Lanes of the widest vectors.
inline constexpr int64_t kFewestLanes = 16;

/// Computes the operations on n lanes of each register, rounded up to whole
/// vectors.
void run_ops(std::span<const TileOp> ops, const Register* registers, size_t n);

}  // namespace hlo::cpu
