#pragma once

#include <string>
#include <vector>

#include "conformance/python/library/request.h"
#include "conformance/python/library/stop_signal.h"
#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// What a request comes to (README.md).
struct RequestAnswer {
  std::string text;  // JSON
  std::vector<Literal> arrays = {};
};

/// Runs what the request asks for. Throws the Error of its program or arrays.
RequestAnswer run_request(const Request& request, StopSignal& stop);

}  // namespace hlo::conformance
