#include "conformance/commands/run_explain.h"

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/commands/options/workload.h"
#include "conformance/commands/verified_program.h"
#include "conformance/explain/explain.h"
#include "conformance/files/file_use.h"
#include "conformance/files/output_into.h"
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
                         .terms = options.all
                                      ? std::numeric_limits<int64_t>::max()
                                      : options.terms,
                         .evaluation = {}};
  request.evaluation.threads = options.jobs;
  request.evaluation.plans = plans_of(options.plans);
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
    FileUse use = files_of({options.file}, options);
    OutputInto output(options.output, use);
    std::vector<std::vector<Literal>> inputs =
        make_device_inputs(module, options.inputs);
    ExplainRequest request = request_of(options, functions);
    request.evaluation.budget = budget_for(options.max_work, inputs);
    std::optional<WorkProgress> progress(request.evaluation.budget);
    const Explanation explanation = explain(module, std::move(inputs), request);
    progress.reset();
    say(printable(explanation.text));
    output.commit();
    return kConforms;
  } catch (const Error& error) {
    return report_error(error, options.file, source);
  }
}

}  // namespace hlo::conformance
