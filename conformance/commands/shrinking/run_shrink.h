#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/files/file_use.h"
#include "conformance/shrink/shrink.h"

namespace hlo::conformance {

/// How far `shrink` goes, and `check` with --shrink.
struct ShrinkLimits {
  int64_t candidates = 5000;
  double seconds = 60;  // for all programs of the run
};

struct ShrinkCommand {
  std::string target;  // a program, a file of cases, or the id of a case
  std::string backend = "cpu:";
  std::string filter = "*";         // which cases of a file
  std::vector<std::string> inputs;  // of a program
  std::string profile = "tight";
  double timeout = 60;  // seconds for a candidate
  ShrinkLimits limits;
  std::string output = "shrunk";  // the folder
};

/// What came of a program that is to be shrunk.
enum class ShrinkEnd : uint8_t {
  kShrunk,
  kDoesNotFail,  // or not twice in the same way
  kOutOfTime,    // before that was known
};

/// Shrinks the program, writes the folder and says what came of it, where the
/// program fails.
ShrinkEnd shrink_into(const std::string& folder, const FileUse& use,
                      const Program& program, const std::string& backend,
                      const ShrinkOptions& options);

/// Makes a failing program smaller and writes the folder that shows the
/// failure, reports errors to standard error, and returns the exit code of the
/// process: kDiffers where there is such a folder, kConforms where the program
/// does not fail, kIncomplete where the time ended before that was known.
int run_shrink(const ShrinkCommand& options);

}  // namespace hlo::conformance
