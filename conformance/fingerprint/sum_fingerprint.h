#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/fingerprint/model_search.h"
#include "conformance/fingerprint/order_probes.h"
#include "conformance/fingerprint/sum_machine.h"
#include "conformance/fingerprint/unit_probes.h"

namespace hlo::conformance {

enum class Explained : uint8_t {
  kYes,          // a model gives the bits of every sum that was drawn
  kButZeros,     // all but the signs of some zeros
  kNo,           // none that was tried does
  kUnsupported,  // the backend does not have the operation
  kFailed,       // it gave no answer
};

/// "explained", "explained but for signs of zeros", "not explained",
/// "unsupported", "failed".
std::string_view name(Explained explained);

/// What became of a model where the terms lie in another way.
struct ArrangedReplay {
  Arrangement arrangement = Arrangement::kRows;
  bool is_supported = true;
  ReplayResult result;  // nothing where it is not
  /// Where `result` refutes the model: another one, which explains the terms
  /// as they lie there.
  std::optional<FoundModel> own = {};
};

/// How a backend sums so many terms.
struct SumFingerprint {
  SummedOperation operation;
  Explained explained = Explained::kNo;
  std::string message;  // why it is not explained
  ObservedSteadiness steadiness;
  FoundOrder order;
  UnitObservations seen;                 // where there is an order
  FoundModel found;                      // where there is an order
  std::vector<ArrangedReplay> arranged;  // where there was a model
  int64_t calls = 0;
};

/// How much is asked.
struct FingerprintEffort {
  int64_t sums = 100000;       // that are drawn and replayed
  int64_t repeats = 3;         // of a call that must give the same bits
  int64_t probes = 20000;      // sums for the order
  Seconds most = Seconds(20);  // for a call
};

/// Probes, finds a model, replays it.
SumFingerprint sum_fingerprint(const SummedOperation& operation,
                               const MakeMachine& make,
                               const FingerprintEffort& effort);

/// An operation on types, with each number of terms that was asked about; the
/// last is the one that was replayed most.
struct OperationFingerprint {
  SumKind kind = SumKind::kDot;
  ElementType operand = ElementType::kF32;
  ElementType result = ElementType::kF32;
  std::vector<SumFingerprint> sums;

  /// kYes where every one is.
  Explained explained() const;
};

}  // namespace hlo::conformance
