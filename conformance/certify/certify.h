#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "conformance/certify/array/set_tree.h"
#include "conformance/levels/profile.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

struct CertifyOptions {
  Profile profile = {};
  /// EvaluatorOptions::max_work, where no limits are shared (SharedLimits).
  int64_t max_work = 0;
  int threads = 1;  // results do not depend on it
  /// Called after each instruction that is followed, parameters aside, with
  /// what it may give.
  std::function<void(const Instruction&, const SetTree&)> observer = {};
};

/// What every leaf of the program's result, of device 0 where there are
/// several (certify_devices), may be on any backend each of whose
/// instructions conforms to the profile. Where no rule says it, or where an
/// undecided predicate decides how the program goes on, the part is unknown,
/// with the reason (spec/conformance.md, Certified ranges).
SetTree certify(const Module& module, const std::vector<Literal>& arguments,
                const CertifyOptions& options = {});
/// What the module may return for arguments that may be anything out of their
/// sets.
SetTree certify(const Module& module, const std::vector<SetTree>& arguments,
                const CertifyOptions& options = {});
/// What a module of several devices may return on each, which have one list of
/// arguments, or each its own.
std::vector<SetTree> certify_devices(
    const Module& module, const std::vector<std::vector<SetTree>>& arguments,
    const CertifyOptions& options = {});

}  // namespace hlo::conformance
