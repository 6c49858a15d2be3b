#pragma once

#include <span>
#include <string>

#include "conformance/fingerprint/sum_fingerprint.h"
#include "conformance/fingerprint/unit_model.h"

namespace hlo::conformance {

/// What a model is, in words for each part that it has:
///   order     8 lanes, added by halves
///   products  fused ...
struct ModelWords {
  std::string order;
  std::string products;  // "" for sums of single numbers
  std::string operands;
  std::string blocks;  // "" where there are none
  std::string adds;    // "" where there are none
  std::string joins;   // "" where they are as adds
  std::string result;  // "" where the last sum is the result
};

ModelWords words(const UnitModel& model);

/// All of an operation in lines for people; the last number of terms at length.
std::string report(const OperationFingerprint& fingerprint);

/// How a file of fingerprints begins.
struct FingerprintIdentity {
  std::string backend;
  std::string version;
  std::string build;
};

/// The file (spec/schema/fingerprint.schema.json).
std::string fingerprint_json(const FingerprintIdentity& identity,
                             std::span<const OperationFingerprint> found);

}  // namespace hlo::conformance
