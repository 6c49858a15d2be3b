#include "conformance/commands/run_explain.h"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "backends/element_teller.h"
#include "conformance/commands/options/judging.h"
#include "conformance/commands/options/workload.h"
#include "conformance/commands/results/certified_results.h"
#include "conformance/commands/results/failure_report.h"
#include "conformance/commands/results/host_feed.h"
#include "conformance/commands/verified_program.h"
#include "conformance/explain/explain.h"
#include "conformance/explain/recording/element.h"
#include "conformance/files/file_use.h"
#include "conformance/files/output_into.h"
#include "conformance/files/standard_output.h"
#include "conformance/judge/prepared_case.h"
#include "conformance/literals/describe_scalar.h"
#include "conformance/literals/inputs.h"
#include "conformance/report/exit_code.h"
#include "interpreter/run/shared_limits.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

std::optional<Device> device_of(const ExplainOptions& options) {
  if (options.device.empty()) return std::nullopt;
  return Device{options.device[0],
                options.device.size() > 1 ? options.device[1] : 0};
}

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
  request.device = device_of(options);
  return request;
}

std::string told_text(const Element& element, const ToldElement& told) {
  std::string text = fmt::format(
      "{} = {}\n  {}\n",
      element_name(*element.instruction, element.tuple_index, element.index),
      describe(told.value), text::print(*element.instruction));
  std::istringstream lines(told.text);
  for (std::string line; std::getline(lines, line);) {
    text += "  " + line + "\n";
  }
  return text;
}

/// What the backend gets from the host.
std::optional<Failure> fed(Backend& backend, const ExplainOptions& options) {
  HostSide host;
  host.infeed = infeed_queues(options.infeed);
  if (!options.custom_calls.empty()) {
    host.custom_calls = std::make_shared<const CustomCalls>(
        load_custom_calls(options.custom_calls));
  }
  return feed(backend, host);
}

/// What a backend tells of the element in its own memory.
std::variant<ToldElement, Failure> told_by(ElementTeller& teller,
                                           const ExplainOptions& options,
                                           const Module& module,
                                           const Element& element) {
  const DeviceInputs inputs = make_device_inputs(module, options.inputs);
  const auto budget = budget_for(options.max_work, inputs);
  const SharedLimitsScope limits({.budget = budget});
  return teller.tell(module, stored(module, argument_leaves(inputs)),
                     {.instruction = element.instruction,
                      .tuple_index = element.tuple_index,
                      .index = element.index,
                      .run = options.run,
                      .device = device_of(options),
                      .depth = options.depth});
}

/// A backend tells of its own steps: not of terms or plans. Error
/// "usage.option".
void require_own_options(const ExplainOptions& options) {
  const ExplainOptions none;
  std::string name;
  std::string value;
  if (options.all != none.all) {
    name = "--all";
    value = "given";
  } else if (options.terms != none.terms) {
    name = "--terms";
    value = std::to_string(options.terms);
  } else if (options.plans != none.plans) {
    name = "--plans";
    value = options.plans;
  } else if (options.all) {
    name = "--all";
    value = "given";
  }
  if (name.empty()) return;
  throw Error(Phase::kParse, "usage.option",
              fmt::format("{} is {} with the backend {}, but it must be left "
                          "out where a backend tells of its own steps",
                          name, value, options.backend));
}

int explain_on_backend(const ExplainOptions& options, const Module& module) {
  require_own_options(options);
  const std::unique_ptr<Backend> backend = chosen_backend(options.backend);
  auto* const teller = dynamic_cast<ElementTeller*>(backend.get());
  if (teller == nullptr) {
    complain(
        printable(options.backend +
                  " does not tell where elements lie, or what made them\n"));
    return kNothing;
  }
  if (const auto failure = fed(*backend, options)) {
    return report_failure(options.backend, *failure);
  }
  FileUse use = files_of({options.file}, options);
  OutputInto output(options.output, use);
  const Element element = parse_element(options.element, module);
  const auto told = told_by(*teller, options, module, element);
  if (const auto* failure = std::get_if<Failure>(&told)) {
    if (failure->rule.starts_with("explain.")) {
      throw Error(Phase::kEvaluate, failure->rule, failure->message);
    }
    return report_failure(options.backend, *failure);
  }
  say(printable(told_text(element, std::get<ToldElement>(told))));
  output.commit();
  return kConforms;
}

}  // namespace

int run_explain(const ExplainOptions& options) {
  std::string source;
  try {
    source = read_program(options.file);
    const Module module = verified_program(source, options.inputs);
    if (options.backend != ExplainOptions{}.backend) {
      return explain_on_backend(options, module);
    }
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
