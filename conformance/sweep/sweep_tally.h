#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hlo::conformance {

/// What can be wrong with a result that is not the reference's code.
enum class SweepFault : uint8_t {
  kNan,             // NaN where the exact value rounds to a number
  kNumber,          // a number where the result is NaN
  kInfinite,        // an infinity where the exact value rounds to a finite one
  kFinite,          // a finite number where it rounds to an infinity
  kFlushedResult,   // zero where it rounds to a subnormal number
  kFlushedOperand,  // what a subnormal operand would give if it were zero
  kZeroSign,        // the other zero
  kRange,           // beyond the range of the function's values
  kMonotone,        // of two neighbouring operands, in the wrong order
  kSymmetry,        // not f(-x) = f(x), or -f(x), where the reference has it;
                    // or not f(conj x) = conj f(x)
  kInteger,         // another integer
};

inline constexpr size_t kSweepFaults = 11;

/// "nan", "number", ... as a file has it.
std::string_view name(SweepFault fault);
/// What the report calls such results.
std::string_view describe(SweepFault fault);

/// The bits of a number: one code, or those of both parts of a complex one.
using SweepCode = std::array<uint64_t, 2>;
/// The operands of one element.
using SweepOperands = std::array<SweepCode, 2>;

/// How often something was found, and at which operands first.
struct SweepCount {
  int64_t count = 0;
  SweepOperands first = {};

  void note(const SweepOperands& operands);
  void add(const SweepCount& later);
  friend bool operator==(const SweepCount&, const SweepCount&) = default;
};

/// The element with the largest error, the first of them.
struct SweepWorst {
  int64_t units = -1;  // -1: none was measured
  SweepOperands operands = {};
  SweepCode actual = {};
  SweepCode reference = {};
  int64_t part = 0;  // of a complex result; 1: the imaginary one
  friend bool operator==(const SweepWorst&, const SweepWorst&) = default;
};

/// How many errors, in units (error_units.h), are in each of these: 32 of each
/// unit in the last place up to 4, then from each power of two to the next, and
/// from 2^20 ulps on.
inline constexpr int kFineBuckets = 128;
inline constexpr int kFineUnits = 32;  // in each of them
inline constexpr size_t kSweepBuckets = 128 + 19;

size_t bucket_of(int64_t units);
/// The least error in units that is in it; of kSweepBuckets, kMostUnits + 1.
int64_t bucket_begin(size_t bucket);

/// How the elements of a chunk, or of a whole sweep, came out. All numbers are
/// exact.
struct SweepTally {
  int64_t elements = 0;
  int64_t same = 0;      // the reference's code, or NaN as it
  int64_t measured = 0;  // number against number, nothing flushed; or parts
  uint64_t sum = 0;      // of their errors, in units
  SweepWorst worst;
  std::array<int64_t, kSweepBuckets> histogram{};
  /// The largest error in each segment of the operands with sign + and of those
  /// with sign -, by their magnitudes; -1 where none was measured. Empty where
  /// there are two operands, or a complex one.
  std::array<std::vector<int64_t>, 2> peaks;
  std::array<SweepCount, kSweepFaults> faults{};
  /// Whether the reference has f(-x) = -f(x), f(-x) = f(x), wherever both were
  /// tried. Of one complex operand `odd` alone: f(conj x) is compared with
  /// conj f(x) where the reference's are the same.
  bool odd = true;
  bool even = true;
  /// For each level, by its rank, the elements that do not pass it; first with
  /// the axes that were asked for, then with subnormals=daz+ftz besides. Once
  /// one is known in a chunk, others there are not looked for.
  std::array<std::vector<SweepCount>, 2> levels;

  SweepCount& fault(SweepFault fault) {
    return faults.at(static_cast<size_t>(fault));
  }

  const SweepCount& fault(SweepFault fault) const {
    return faults.at(static_cast<size_t>(fault));
  }

  /// Adds the tally of elements that come later.
  void add(const SweepTally& later);
  friend bool operator==(const SweepTally&, const SweepTally&) = default;
};

/// The least number of units that at most `percent` of a hundred measured
/// elements lie above, as the bucket that it lies in; measured > 0.
size_t percentile(const SweepTally& tally, int percent);
/// The rank of the strictest level that all elements pass; nothing where none.
std::optional<size_t> strictest(const SweepTally& tally, size_t axes);

}  // namespace hlo::conformance
