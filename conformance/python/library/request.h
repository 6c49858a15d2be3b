#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/levels/profile.h"
#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// What is asked for.
enum class Operation { kEvaluate, kJudge, kBounds };

struct Request {
  Operation operation = Operation::kEvaluate;
  std::string program;
  std::vector<Literal> inputs;   // the array leaves of the parameters
  std::vector<Literal> results;  // those to judge
  Profile profile = {};
  int64_t max_work = 0;  // EvaluatorOptions::max_work
  int threads = 1;
};

/// The request that the JSON text makes with its arrays: the program's text,
/// then the inputs, then the results. Error "usage.request", or those of a
/// profile and of literals that are too large.
Request read_request(std::string_view text,
                     std::span<const std::vector<std::byte>> arrays);

}  // namespace hlo::conformance
