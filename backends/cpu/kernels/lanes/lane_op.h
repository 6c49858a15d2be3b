#pragma once

#include <cstddef>
#include <cstdint>

namespace hlo::cpu {

/// An operation on lanes of 32 bits: f32, s32, u32, or pred (0 or 1), of which
/// f32 and s32 may hold a number of a narrower type; or on lanes of 64 bits,
/// and what makes the one of the other. Names are those of HLO; the type is
/// that of the operands, and where signs do not matter that of the signed ones.
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
  kMaximumU32,
  kMinimumU32,
  kNegateS32,
  kAbsS32,
  kShiftLeftS32,  // run_bit_ops.h
  kShiftRightLogicalS32,
  kShiftRightArithmeticS32,
  kPopcntS32,
  kLeadingZerosS32,
  kEqualS32,
  kNotEqualS32,
  kLessS32,
  kLessEqualS32,
  kLessU32,
  kLessEqualU32,
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
  kIsFiniteF32,
  kCopy,
  kQuiet,        // a NaN is quiet
  kRoundToBf16,  // to the nearest number of the type, ties to even
  kRoundToF16,
  kWrapS8,  // modulo as many values as the type has
  kWrapU8,
  kWrapS16,
  kWrapU16,
  kSaturateS8,  // to the nearest number of the type
  kSaturateU8,
  kSaturateS16,
  kSaturateU16,
  kAddF64,  // of 64 bits: run_wide_ops.h
  kSubtractF64,
  kMultiplyF64,
  kDivideF64,
  kMaximumF64,
  kMinimumF64,
  kNegateF64,
  kAbsF64,
  kSqrtF64,
  kSignF64,
  kFloorF64,
  kCeilF64,
  kRoundEvenF64,
  kRsqrtF64,  // run_wide_function.h
  kExponentialF64,
  kExponentialMinusOneF64,
  kLogF64,
  kLogPlusOneF64,
  kTanhF64,
  kLogisticF64,
  kEqualF64,
  kNotEqualF64,
  kLessF64,
  kLessEqualF64,
  kAddS64,
  kSubtractS64,
  kMultiplyS64,
  kMaximumS64,
  kMinimumS64,
  kMaximumU64,
  kMinimumU64,
  kNegateS64,
  kAbsS64,
  kShiftLeftS64,
  kShiftRightLogicalS64,
  kShiftRightArithmeticS64,
  kPopcntS64,
  kLeadingZerosS64,
  kEqualS64,
  kNotEqualS64,
  kLessS64,
  kLessEqualS64,
  kLessU64,
  kLessEqualU64,
  kAnd64,
  kOr64,
  kXor64,
  kNot64,
  kSelect64,
  kCopy64,
  kF32ToF64,
  kS32ToF64,
  kU32ToF64,
  kF64ToF32,
  kF64ToOddF32,  // with the last bit set where it is not exact, so that to
                 // round it to a narrower type rounds once
  kF64ToS32,
  kF64ToU32,
  kF64ToS64,
  kS64ToF64,
  kS64ToOddF64,
  kS32ToS64,
  kU32ToS64,
  kS64ToS32,  // the last bits
  kIsNotZeroF64,
  kIsNotZeroS64,
  kIsFiniteF64,
};

/// Whether it reads or writes lanes of 64 bits.
constexpr bool is_wide(Code code) { return code >= Code::kAddF64; }

/// To which numbers a sum, difference, product or quotient of f32 is rounded
/// once more.
enum class Narrowing : uint8_t { kNone, kToBf16, kToF16 };

struct LaneOp {
  Code code = Code::kAddF32;
  uint16_t out = 0;
  uint16_t operands[3] = {};
  Narrowing narrowing = Narrowing::kNone;
};

/// Where the lanes of a register are.
struct Register {
  std::byte* first = nullptr;
  /// Lane i is number i & mask from there: with 0 the first ones, kFewestLanes
  /// or a vector's, which are the same number, stand for all lanes. Results
  /// have a mask of all bits.
  size_t mask = SIZE_MAX;
};

/// Lanes of 32 bits of the widest vectors.
inline constexpr int64_t kFewestLanes = 16;

}  // namespace hlo::cpu
