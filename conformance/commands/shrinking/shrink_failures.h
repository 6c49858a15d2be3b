#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/commands/shrinking/run_shrink.h"
#include "conformance/files/file_use.h"
#include "conformance/shrink/shrink.h"

namespace hlo::conformance {

/// --shrink of a command that judges, and what goes with it.
struct ShrinkRequest {
  int count = 0;                  // of how many that fail
  std::string folder = "shrunk";  // of the folders 1, 2, ...
  ShrinkLimits limits;
};

/// A program that failed in a run.
struct FailingProgram {
  std::string id;
  Program program;
  std::optional<Case> stated;
};

/// The smallest programs that fail as these do, a folder for each of them; in
/// the time for all. `options` has the profile, and the time for a candidate.
void shrink_failures(const std::vector<FailingProgram>& failing,
                     const ShrinkRequest& request, const FileUse& use,
                     const std::string& backend, ShrinkOptions options);

}  // namespace hlo::conformance
