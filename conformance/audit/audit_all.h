#pragma once

#include <functional>
#include <span>
#include <vector>

#include "conformance/audit/audit.h"

namespace hlo::conformance {

/// Audits the programs of all cases, `jobs` at the same time, each job with
/// backends of its own. put(program) is called for each in the order of the
/// cases, by one thread at a time, before the error of a later case is thrown.
std::vector<AuditedProgram> audit_all(
    std::span<const Case> cases, const MakeBackend& make,
    const AuditOptions& options, int jobs,
    const std::function<void(const AuditedProgram&)>& put);

}  // namespace hlo::conformance
