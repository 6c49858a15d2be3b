#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hlo::conformance {

struct FingerprintOptions {
  std::string backend;
  std::vector<std::string> operations;  // all without any
  std::vector<std::string> types;       // of operands; all without any
  std::vector<int64_t> terms;           // a default list without any
  bool full = false;
  int64_t sums = 100000;
  int64_t repeats = 3;
  double timeout = 20;  // seconds for a call
  std::string output;   // file, "" for none
  std::string version;
};

/// Finds out how a backend sums and prints it; the exit code of the process.
int run_fingerprint(const FingerprintOptions& options);

}  // namespace hlo::conformance
