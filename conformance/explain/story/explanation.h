#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/rules/op.h"
#include "interpreter/run/network.h"

namespace hlo::conformance {

/// Which element of which result is explained, and in how much detail.
struct ExplainRequest {
  /// "%name[1,2]", "%name{0}[1,2]" of a tuple; without an index the first
  /// element, without a name the root of the entry computation.
  std::string element;
  int64_t run = 1;                    // of the instruction
  std::optional<Device> device = {};  // the first that runs it
  int depth = 1;                      // how many instructions back
  int64_t terms = 16;                 // of a sum that are shown
  EvaluatorOptions evaluation = {};   // observers of its own are added
};

/// What was said of an element in a form that can be checked.
struct Explanation {
  std::string text;

  /// The operand's element that the result's element is a copy of.
  struct Copied {
    Scalar from;
    Scalar to;
  };

  std::optional<Copied> copied;
  /// The steps in words lead to that element, or to the result.
  bool steps_agree = true;

  /// What the stated exact value becomes by one rounding, and the result.
  struct Computed {
    uint64_t stated;
    uint64_t result;
  };

  std::vector<Computed> computed;
};

}  // namespace hlo::conformance
