#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace hlo::tpu {

/// What a broken machine does wrong; fault_rows() says it in words. Where a
/// machine asks whether it has a fault, the code behind it is the fault, and
/// nothing else asks.
enum class Fault : uint8_t {
  kNone,
  // The memory, and what moves between it and registers.
  kReversedNibbles,
  kUnsignedNibbles,
  kSwappedSecondTile,
  kPrefixIgnored,
  kWideSlotsFromTheTop,
  kUnsignedWideSlots,
  kScratchOverrun,
  kScratchNotGivenBack,
  kMaskTooLong,
  kMaskTooShort,
  // Lanes that move between registers.
  kShiftTooFar,
  kOneRegisterGathered,
  kOrderIgnored,
  kWholeRegistersScattered,
  kLastLaneNotScattered,
  // The vector unit, folds.
  kRegisterBeyond,
  kLastRegisterLeftOut,
  kScalarFromLaneOne,
  kVectorMaskTooShort,
  kMapNotPutBack,
  kPaddingAsZero,
  kStalePadding,
  kWindowPaddingAsTerm,
  kLastCellLeftOut,
  kInitialValueIgnored,
  // Contractions.
  kWeightsStay,
  kWeightsTransposed,
  kColumnsForgotten,
  kFirstWeightsLeftOut,
  kIntegersOf32Bits,
  kImaginaryProductsAdded,
  kScaleOfFirstBlock,
  kFirstListForAll,
  // Movement, control flow, arguments and results.
  kBodyFirst,
  kFirstBranchByDefault,
  kBranchesSwapped,
  kScanForward,
  kCarryLost,
  kResultAsItLies,
  kSizesNotWritten,
  kFirstDeviceForAll,
  // Parts larger than the scratch memory, and layouts that are carried.
  kLastRunLeftUnsorted,
  kMergePrefersSecond,
  kRowRegisterKept,
  kProductsNotSubtracted,
  kTurnsLeftOut,
  kVarianceAboutZero,
  kMovedInOnePiece,
  // Indices that are read alone, and blocks of updates.
  kFirstSliceForAll,
  kWindowsMovedIn,
  kLastUpdateLeftOut,
  kLaterBlocksLeftOut,
  kLastStepLeftOut,
  // Several devices.
  kFirstMemberIsRoot,
  kLastMemberLeftOut,
  kLastRegisterNotBrought,
  kMembersReversed,
  kPartOfNextMember,
  kReplicaForPartition,
  kSliceATileEarly,
};

/// A fault as people see it.
struct FaultRow {
  Fault fault;
  std::string_view name;  // as in "tpu-mutant:NAME"
  std::string_view what;  // what such a machine does
};

/// One row for each fault, by their names.
std::span<const FaultRow> fault_rows();

/// The fault of that name.
std::optional<Fault> fault_named(std::string_view name);

}  // namespace hlo::tpu
