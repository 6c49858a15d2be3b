#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conformance/certify/array/set_tree.h"
#include "conformance/levels/profile.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// One list of arguments for each device, or for all.
using DeviceInputs = std::vector<std::vector<Literal>>;

struct CertifyingOptions {
  Profile profile = {};
  int64_t max_work = 0;  // --max-work, or 0
  int jobs = 1;
};

/// What each device may return (certify_devices()), with progress on a
/// terminal.
std::vector<SetTree> certified_results(const Module& module,
                                       const DeviceInputs& inputs,
                                       const CertifyingOptions& options);
/// The array leaves, of one device after the other.
std::vector<const SetTree*> array_leaves_of(std::span<const SetTree> results);
/// Whether there are leaves, and nothing is certified of any.
bool is_all_open(std::span<const SetTree* const> leaves);
/// The array leaves of the inputs as Backend::run() takes them.
std::vector<Literal> argument_leaves(const DeviceInputs& inputs);

/// Prints which elements of what the backend returned are outside; the exit
/// code.
int judge_values(const std::string& backend,
                 std::span<const SetTree* const> leaves,
                 std::span<const Literal> values);

}  // namespace hlo::conformance
