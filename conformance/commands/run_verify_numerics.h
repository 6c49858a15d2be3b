#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hlo::conformance {

struct VerifyNumericsOptions {
  std::vector<std::string> functions;  // default: all
  std::string filter = "*";            // which of them
  int64_t blocks = 8;        // of 2^20 f32 codes of each function, at most 4096
  bool rival = true;         // compare them with the second engine
  int64_t hard_cases = 100;  // of f64, of each function
  bool codes = false;        // all arguments of types of at most 16 bits
  bool pairs = false;   // all pairs of f16 and of bf16, added and multiplied
  int64_t battery = 0;  // inputs of each part; 0: no battery
  std::string write;    // folder for new checksums, "" for none
  int jobs = 2;
};

/// Compares the functions of the reference with their rivals, reports
/// errors to standard error, and returns the exit code of the process.
int run_verify_numerics(const VerifyNumericsOptions& options);

}  // namespace hlo::conformance
