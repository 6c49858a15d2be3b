#pragma once

#include <map>
#include <vector>

#include "interpreter/model/module.h"

namespace hlo::conformance {

/// Where the values of a module's instructions come from, through calls,
/// fusions, loops and branches.
class Flow {
 public:
  explicit Flow(const Module& module);

  /// The instructions whose values this one's value is made of, or is.
  std::vector<const Instruction*> sources(const Instruction& instruction) const;

 private:
  std::vector<const Instruction*> arguments(const Instruction& parameter) const;

  std::map<const Computation*, std::vector<const Instruction*>> callers_;
};

/// Whether it hands on what others computed: tuples and their elements,
/// parameters, and what runs a computation.
bool carries(const Instruction& instruction);

}  // namespace hlo::conformance
