#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/levels/profile.h"
#include "interpreter/model/literal.h"
#include "interpreter/rules/devices/collective.h"

namespace hlo::conformance {

/// What is asked for.
enum class Operation { kEvaluate, kJudge, kBounds, kExplain };

struct Request {
  Operation operation = Operation::kEvaluate;
  std::string program;
  std::vector<Literal> inputs;   // the array leaves of the parameters
  std::vector<Literal> results;  // those to judge
  Profile profile = {};
  int64_t max_work = 0;    // EvaluatorOptions::max_work, of all that is done
  int64_t max_memory = 0;  // bytes of the arrays that it makes; 0: any
  int threads = 1;
  // Those of ExplainRequest.
  std::string element = {};
  int depth = 1;
  int64_t terms = 16;
  int64_t run = 1;
  std::optional<Device> device = {};
};

/// The request that the JSON text makes with its arrays: the program's text,
/// then the inputs, then the results. Error "usage.request", or those of a
/// profile and of literals that are too large.
Request read_request(std::string_view text,
                     std::span<const std::vector<std::byte>> arrays);

}  // namespace hlo::conformance
