#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/judge/run_case.h"
#include "conformance/report/summary.h"

namespace hlo::conformance {

// The lines of `assay check -o`: JSON objects, one a line, the same from run
// to run (spec/conformance.md, Events).

/// {"event":"begin",...}: how many cases are about to run; `manifest` names
/// them.
std::string begin_event(const std::string& backend, int64_t cases,
                        const std::string& manifest);
/// {"event":"case",...}
std::string case_event(const Case& c, const Judgement& judgement);
/// {"event":"end",...}: counts of verdicts and the exit code.
std::string end_event(const Summary& summary, int exit_code);

/// SHA-256, in hex, of the ids and programs of the cases in order.
std::string manifest(const std::vector<Case>& cases);

}  // namespace hlo::conformance
