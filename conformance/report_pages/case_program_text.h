#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/report/recorded_cases.h"

namespace hlo::conformance {

/// A case as the vectors or a page have it, in texts for people.
struct CaseProgramText {
  std::string statement;
  std::string why;  // flags
  std::string program;
  std::vector<std::string> inputs;  // HLO literals, cut where they are long
  bool is_cut = false;
};

/// The case where its file is there, under the current folder or data_root(),
/// and still has it at its line.
std::optional<CaseProgramText> program_text_of(const RecordedCase& recorded);

}  // namespace hlo::conformance
