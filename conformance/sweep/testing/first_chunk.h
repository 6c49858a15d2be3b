#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "conformance/sweep/points/sweep_points.h"
#include "conformance/sweep/sweep_tally.h"
#include "interpreter/evaluate.h"

namespace hlo::conformance {

/// The first chunk of a sweep, and what the reference gives for it.
template <typename OwnMeasurer>
struct FirstChunk {
  FirstChunk(std::string_view op, std::string_view type,
             std::optional<SweepRange> range = std::nullopt)
      : operation(swept_operation(op, type)),
        points(SweepPlan(operation, range).points(0)),
        results(evaluate(operation.on(points.operands[0].element_count()),
                         points.operands)) {}

  SweepTally tally() const {
    return OwnMeasurer(operation, Profile()).measure(points, results);
  }

  /// Gives `code` as the result where the first operand is x; how often.
  int64_t set(const SweepCode& x, const SweepCode& code) {
    int64_t places = 0;
    for (int64_t i = 0; i < results.element_count(); ++i) {
      if (points.operands[0].at(i).bits != x) continue;
      results.set(i, {.type = operation.type, .bits = code});
      ++places;
    }
    return places;
  }

  SweptOperation operation;
  SweepPoints points;
  Literal results;
};

inline int64_t count(const SweepTally& tally, SweepFault fault) {
  return tally.fault(fault).count;
}

}  // namespace hlo::conformance
