#include "backends/tpu/memory/fault.h"

#include <algorithm>
#include <array>

namespace hlo::tpu {
namespace {

constexpr std::array kRows = std::to_array<FaultRow>({
    {Fault::kBodyFirst, "body-first",
     "a loop runs its body before it asks its condition"},
    {Fault::kBranchesSwapped, "branches-swapped",
     "a conditional takes false for the first of two computations"},
    {Fault::kCarryLost, "carry-lost",
     "each step of a scan begins with the first carry"},
    {Fault::kColumnsForgotten, "columns-forgotten",
     "the matrix unit leaves out the columns of a block beyond 64"},
    {Fault::kFirstBranchByDefault, "first-branch-by-default",
     "a selector that names no computation takes the first one"},
    {Fault::kFirstDeviceForAll, "first-device-for-all",
     "all devices get the arguments of the first one"},
    {Fault::kFirstWeightsLeftOut, "first-weights-left-out",
     "the first row of weights is 0"},
    {Fault::kImaginaryProductsAdded, "imaginary-products-added",
     "products of imaginary parts are added and not subtracted"},
    {Fault::kInitialValueIgnored, "initial-value-ignored",
     "folds begin at 0, whatever their initial value"},
    {Fault::kIntegersOf32Bits, "integers-of-32-bits",
     "sums of integers keep 32 bits"},
    {Fault::kLastCellLeftOut, "last-cell-left-out",
     "folds leave out the last cell"},
    {Fault::kLastLaneNotScattered, "last-lane-not-scattered",
     "a scatter leaves out its last lane"},
    {Fault::kLastRegisterLeftOut, "last-register-left-out",
     "an element-wise operation leaves out a register that is not full"},
    {Fault::kMapNotPutBack, "map-not-put-back",
     "a map leaves its results in the first lanes"},
    {Fault::kMaskTooLong, "mask-too-long",
     "a load takes the lane behind each row of a tile for an element"},
    {Fault::kMaskTooShort, "mask-too-short",
     "a store leaves out the last element of each row of a tile"},
    {Fault::kOneRegisterGathered, "one-register-gathered",
     "a gather takes all lanes from the register that it met first"},
    {Fault::kOrderIgnored, "order-ignored",
     "operands are taken as they lie, whatever their layout"},
    {Fault::kPaddingAsZero, "padding-as-zero",
     "folds take padding of tiles for terms of 0"},
    {Fault::kPrefixIgnored, "prefix-ignored",
     "elements begin where the run-time sizes in front of them do"},
    {Fault::kRegisterBeyond, "register-beyond",
     "an element-wise operation goes on one register too far"},
    {Fault::kResultAsItLies, "result-as-it-lies",
     "results keep the layout that they were computed in"},
    {Fault::kReversedNibbles, "reversed-nibbles",
     "packed elements of 4 bits are read in the opposite order"},
    {Fault::kScalarFromLaneOne, "scalar-from-lane-one",
     "a scalar operand is taken from the lane behind it"},
    {Fault::kScaleOfFirstBlock, "scale-of-first-block",
     "all elements get the scale of the first block"},
    {Fault::kScanForward, "scan-forward", "a scan never goes backward"},
    {Fault::kScratchNotGivenBack, "scratch-not-given-back",
     "registers that nobody uses any more stay taken"},
    {Fault::kScratchOverrun, "scratch-overrun",
     "registers reach into the next one"},
    {Fault::kShiftTooFar, "shift-too-far",
     "lanes that move come from one lane further"},
    {Fault::kSizesNotWritten, "sizes-not-written",
     "results have no run-time sizes in front of them"},
    {Fault::kStalePadding, "stale-padding",
     "folds take for a term what the operation before left in padding"},
    {Fault::kSwappedSecondTile, "swapped-second-tile",
     "the two rows of a second tile are read in the opposite order"},
    {Fault::kUnsignedNibbles, "unsigned-nibbles",
     "signs of elements of less than 8 bits are lost"},
    {Fault::kUnsignedWideSlots, "unsigned-wide-slots",
     "wide slots are filled with zeros above negative numbers"},
    {Fault::kVectorMaskTooShort, "vector-mask-too-short",
     "an element-wise operation leaves out the last lane of each row"},
    {Fault::kWeightsStay, "weights-stay",
     "the matrix unit keeps the first weights that it loads"},
    {Fault::kWeightsTransposed, "weights-transposed",
     "weights lie in the matrix unit with rows as columns"},
    {Fault::kWholeRegistersScattered, "whole-registers-scattered",
     "a scatter stores whole registers at once, whatever lanes it has"},
    {Fault::kWideSlotsFromTheTop, "wide-slots-from-the-top",
     "a narrow number is read from the high end of its slot"},
    {Fault::kWindowPaddingAsTerm, "window-padding-as-term",
     "what lies in padding of a window is a term of 0"},
});

}  // namespace

std::span<const FaultRow> fault_rows() { return kRows; }

std::optional<Fault> fault_named(std::string_view name) {
  const auto* const found = std::ranges::find(kRows, name, &FaultRow::name);
  if (found == kRows.end()) return std::nullopt;
  return found->fault;
}

}  // namespace hlo::tpu
