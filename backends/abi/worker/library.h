#pragma once

#include <stdexcept>
#include <string>

#include "backends/abi/assay_backend.h"
#include "backends/abi/worker/served_messages.h"
#include "backends/process/worker_messages.h"

namespace hlo::abi {

/// Why a library is no backend, or broke the rules of spec/abi.md.
class BadLibrary : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A shared library with assay_backend() (spec/abi.md), loaded for as long as
/// the process lives.
class Library {
 public:
  /// BadLibrary.
  explicit Library(const std::string& path);

  /// What it says of itself.
  const process::Hello& hello() const { return hello_; }

  /// BadLibrary where it wrote what is not its to write: then nothing that is
  /// in memory can be trusted any more. What it throws ends the process.
  process::Answer run(const ServedCase& one) const;
  /// Lets it clean up.
  void end() const noexcept;

 private:
  AssayBackend backend_{};
  process::Hello hello_;
};

}  // namespace hlo::abi
