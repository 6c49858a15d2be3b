#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/sweep/points/sweep_run.h"
#include "conformance/sweep/points/swept_operation.h"

// Which operands a sweep tries, in which order: the same for every backend.
namespace hlo::conformance {

/// The finite or infinite numbers from `low` to `high`, as codes.
struct SweepRange {
  uint64_t low = 0;
  uint64_t high = 0;
};

/// The range of "LOW:HIGH", two numbers that the type has. Error "sweep.range".
SweepRange parse_sweep_range(std::string_view text, ElementType type);

/// All operands, in chunks. Of one operand of at most 32 bits: every code; of
/// f64: 256 numbers of every binade and sign, its ends and their neighbours
/// among them, and those of hard_arguments(). Of two operands of at most 8
/// bits: every pair; of 16 bits: 64 codes beside every code, on both sides; of
/// wider ones 2^20 pairs whose exponents are drawn, half of them within a few
/// of each other. Of complex ones: complex_points().
class SweepPlan {
 public:
  /// Error "sweep.range" where there is a range for two operands, or one that
  /// holds no number.
  SweepPlan(const SweptOperation& operation, std::optional<SweepRange> range);

  int64_t chunk_count() const;
  /// Where the segments of a sign begin (SweepTally::peaks): the magnitudes'
  /// codes, of one operand that is a float.
  std::vector<uint64_t> segments(size_t sign) const;
  SweepPoints points(int64_t chunk) const;

 private:
  struct Part {
    int64_t begin = 0;
    int64_t end = 0;
  };

  struct Chunk {
    std::array<Part, 2> signs;  // of magnitudes, by sign; or of pairs
  };

  void plan_magnitudes(const std::optional<SweepRange>& range);
  std::array<Part, 2> selected(const SweepRange& range) const;
  SweepPoints magnitudes(const Chunk& chunk) const;
  void fill(Literal& x, const SweepRun& run, int64_t first) const;
  SweepPoints pairs(const Part& part) const;
  int64_t segment_count() const;
  bool has_magnitudes() const;
  uint64_t magnitude(int64_t i) const;
  int64_t magnitude_count() const;

  SweptOperation operation_;
  std::vector<Chunk> chunks_;
  std::array<Part, 2> selected_;
  std::vector<uint64_t> strata_;  // of f64: the magnitudes, in order
};

}  // namespace hlo::conformance
