#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/fingerprint/sum_machine.h"
#include "conformance/fingerprint/unit_model.h"
#include "conformance/fingerprint/unit_probes.h"

namespace hlo::conformance {

/// Models that fit what was observed, the plainest first.
std::vector<UnitModel> candidates(const SummedOperation& operation,
                                  const SummationTree& tree,
                                  const UnitObservations& seen);

/// Terms for which a model and a machine gave other bits.
struct Refutation {
  std::vector<double> a;
  std::vector<double> b;
  double machine = 0;
  double model = 0;
};

/// Whether the signs of zeros count.
enum class Zeros : uint8_t { kSigned, kAlike };

/// How a model did beside a machine.
struct ReplayResult {
  int64_t sums = 0;
  int64_t equal = 0;
  int64_t other_zeros = 0;  // of these, zeros with another sign
  std::optional<Refutation> first;
};

/// What the machine gave for drawn terms.
struct DrawnSums {
  SumRows rows;
  std::vector<double> cells;  // of SumMachine::cells()
};

/// Draws the terms of a call: numbers of like size, of any size, that cancel,
/// among many zeros, and subnormal ones, by the number of the call.
SumRows drawn_rows(const SummedOperation& operation, uint64_t call);

/// Compares a model with what the machine gave, until `most` sums differ.
ReplayResult replay(const UnitModel& model, const SummedOperation& operation,
                    const std::vector<DrawnSums>& drawn, int64_t most,
                    Zeros zeros);

/// Which sums of drawn terms a machine gives that are no sum of their places:
/// the number of cells that differ where all rows are alike, or a call that
/// gives other bits than before.
struct ObservedSteadiness {
  int64_t calls = 0;
  bool in_place = true;
  bool in_time = true;
  std::optional<Refutation> first;
};

ObservedSteadiness observe_steadiness(SumMachine& machine, int64_t repeats);

/// What a search for a model came to.
struct FoundModel {
  std::optional<UnitModel> model;  // that no drawn sum refutes
  UnitModel closest;               // else, the one that gave most of them
  ReplayResult result;             // of the one or the other
  int64_t candidates = 0;
};

/// The first candidate that gives about so many drawn sums.
FoundModel find_model(SumMachine& machine,
                      const std::vector<UnitModel>& candidates, int64_t sums,
                      Zeros zeros);

}  // namespace hlo::conformance
