#include "conformance/commands/run_explain.h"

#include <string>

#include "conformance/commands/verified_program.h"
#include "conformance/explain/explain.h"
#include "conformance/files/standard_output.h"
#include "conformance/literals/inputs.h"
#include "conformance/report/exit_code.h"

namespace hlo::conformance {
namespace {

ExplainRequest request_of(const ExplainOptions& options,
                          const CustomCalls& functions) {
  ExplainRequest request{.element = options.element,
                         .run = options.run,
                         .device = {},
                         .depth = options.depth,
                         .terms = options.terms,
                         .evaluation = {}};
  request.evaluation.max_work = options.max_work;
  request.evaluation.custom_calls = &functions;
  request.evaluation.infeed = make_infeed(options.infeed);
  if (!options.device.empty()) {
    request.device = Device{options.device[0],
                            options.device.size() > 1 ? options.device[1] : 0};
  }
  return request;
}

}  // namespace

int run_explain(const ExplainOptions& options) {
  std::string source;
  try {
    source = read_program(options.file);
    const Module module = verified_program(source, options.inputs);
    const CustomCalls functions = load_custom_calls(options.custom_calls);
    const Explanation explanation =
        explain(module, make_device_inputs(module, options.inputs),
                request_of(options, functions));
    say(printable(explanation.text));
    return kConforms;
  } catch (const Error& error) {
    return report_error(error, options.file, source);
  }
}

}  // namespace hlo::conformance
