#include "conformance/python/library/run_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "backends/backend.h"
#include "conformance/certify/array/existing.h"
#include "conformance/certify/array/width.h"
#include "conformance/certify/certify.h"
#include "conformance/commands/verified_program.h"
#include "conformance/explain/explain.h"
#include "conformance/judge/judge_check.h"
#include "conformance/literals/describe_scalar.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/python/library/result_report.h"
#include "interpreter/rules/sizes/sizes.h"
#include "interpreter/run/shared_limits.h"

namespace hlo::conformance {
namespace {

using AnswerJson = nlohmann::ordered_json;
using DeviceArguments = std::vector<std::vector<Literal>>;

std::string dump(const AnswerJson& json) {
  return json.dump(-1, ' ', false, AnswerJson::error_handler_t::replace);
}

/// What the array says of its sizes, for a program that leaves them open:
/// "2x3xf32=".
std::string sizes_text_of(const Literal& input) {
  std::string text;
  for (const int64_t size : input.shape().dims) {
    text += std::to_string(size) + "x";
  }
  return text + std::string(name(input.type())) + "=";
}

Module module_of(const Request& request) {
  std::vector<std::string> sizes;
  for (const Literal& input : request.inputs) {
    sizes.push_back(sizes_text_of(input));
  }
  return verified_program(request.program, sizes);
}

AnswerJson part_of(const Literal& array) {
  return {{"type", name(array.type())}, {"dims", array.shape().dims}};
}

/// Lists the array in the answer, with the elements that exist at run time.
AnswerJson append(const Literal& array, RequestAnswer& answer) {
  answer.arrays.push_back(cut(array));
  return part_of(answer.arrays.back());
}

/// What the program's own checks say that do not hold.
AnswerJson broken_checks(const std::vector<CheckOutcome>& outcomes) {
  AnswerJson texts = AnswerJson::array();
  for (const CheckOutcome& outcome : outcomes) {
    if (outcome.verdict != CheckVerdict::kMismatch) continue;
    texts.push_back(fmt::format("{}:{}: {}", outcome.location.line,
                                outcome.location.column, describe(outcome)));
  }
  return texts;
}

int64_t budget_of(const Request& request) {
  // To judge takes a run, the sets of what came, and those of all operations.
  constexpr int64_t kWorkOfJudging = 4;
  if (request.max_work > 0) return request.max_work;
  int64_t elements = 0;
  for (const Literal& input : request.inputs) elements += input.element_count();
  for (const Literal& result : request.results) {
    elements += result.element_count();
  }
  const int64_t once = Budget::by_inputs(elements);
  return request.operation == Operation::kJudge
             ? std::min(once, Budget::kEndless / kWorkOfJudging) *
                   kWorkOfJudging
             : once;
}

SharedLimits limits_of(const Request& request, StopSignal& stop) {
  return {.budget = stop.budget(budget_of(request)),
          .arrays = request.max_memory > 0
                        ? std::make_shared<ArrayAllowance>(request.max_memory)
                        : nullptr};
}

RequestAnswer evaluate_request(const Request& request, const Module& module,
                               DeviceArguments arguments) {
  EvaluatorOptions options;
  options.threads = request.threads;
  const CheckedRun checked =
      evaluate_with_checks(module, std::move(arguments), options);
  const std::vector<Literal>& values = checked.run.results;
  RequestAnswer answer;
  AnswerJson results = AnswerJson::array();
  for (const Literal& leaf : array_leaves(values)) {
    results.push_back(append(leaf, answer));
  }
  const bool is_one = values.size() == 1 && values[0].shape().is_array();
  answer.text = dump({{"results", std::move(results)},
                      {"is_one", is_one},
                      {"broken_checks", broken_checks(checked.outcomes)}});
  return answer;
}

AnswerJson difference_json(const Difference& difference) {
  return {{"index", difference.index},
          {"expected", difference.expected},
          {"reference", describe(difference.reference)},
          {"actual", describe(difference.actual)},
          {"ulps", difference.ulps ? AnswerJson(*difference.ulps)
                                   : AnswerJson(nullptr)}};
}

AnswerJson leaf_json(const Judgement& leaf) {
  const Closeness& closeness = leaf.closeness;
  const double worst = closeness.worst_ulps;
  return {{"verdict", name(leaf.verdict)},
          {"message", leaf.message},
          {"elements", closeness.elements},
          {"outside", closeness.outside},
          {"inexact", closeness.inexact},
          // JSON has no infinity: NaN against a number.
          {"worst_ulps",
           std::isfinite(worst) ? AnswerJson(worst) : AnswerJson(nullptr)},
          {"difference", leaf.difference ? difference_json(*leaf.difference)
                                         : AnswerJson(nullptr)}};
}

RequestAnswer judge_request(const Request& request, const Module& module,
                            const DeviceArguments& arguments) {
  const ResultReport report =
      judge_results(module, arguments, request.results, request.profile);
  AnswerJson leaves = AnswerJson::array();
  for (const Judgement& leaf : report.leaves) leaves.push_back(leaf_json(leaf));
  return {.text = dump({{"verdict", name(report.verdict)},
                        {"text", describe(report, request.results)},
                        {"leaves", std::move(leaves)}})};
}

/// Where any NaN may be; of complex numbers in each of their parts, which are
/// one dimension more.
Literal nans_of(const SetTree& leaf) {
  const int parts = components(leaf.value.type());
  std::vector<int64_t> dims = leaf.value.shape().dims;
  if (parts == 2) dims.push_back(parts);
  Literal nans(Shape::array(ElementType::kPred, dims));
  for (int64_t i = 0; i < nans.element_count(); ++i) {
    const auto part = static_cast<int>(i % parts);
    const bool may_be = leaf.at(i / parts, part).has_nan();
    nans.set(i, {.type = ElementType::kPred, .bits = {uint64_t{may_be}, 0}});
  }
  return nans;
}

AnswerJson bounds_json(const SetTree& whole, RequestAnswer& answer) {
  const SetTree leaf = existing(whole);
  AnswerJson json = part_of(leaf.value);
  if (leaf.is_open()) json["unknown"] = leaf.reason();
  json["text"] = leaf.is_open() ? "nothing is certified: " + leaf.reason()
                                : describe(width(leaf));
  append(leaf.value, answer);
  if (leaf.is_open()) return json;
  append(ends(leaf, false), answer);
  append(ends(leaf, true), answer);
  append(nans_of(leaf), answer);
  return json;
}

RequestAnswer bounds_request(const Request& request, const Module& module,
                             const DeviceArguments& arguments) {
  std::vector<std::vector<SetTree>> known;
  for (const std::vector<Literal>& list : arguments) {
    std::vector<SetTree> sets;
    std::ranges::transform(list, std::back_inserter(sets), SetTree::known);
    known.push_back(std::move(sets));
  }
  RequestAnswer answer;
  AnswerJson leaves = AnswerJson::array();
  for (const SetTree& tree :
       certify_devices(module, known, {.profile = request.profile})) {
    for (const SetTree* leaf : array_leaves_of(tree)) {
      leaves.push_back(bounds_json(*leaf, answer));
    }
  }
  answer.text = dump({{"leaves", std::move(leaves)}});
  return answer;
}

RequestAnswer explain_request(const Request& request, const Module& module,
                              DeviceArguments arguments) {
  ExplainRequest wanted{.element = request.element,
                        .run = request.run,
                        .device = request.device,
                        .depth = request.depth,
                        .terms = request.terms,
                        .evaluation = {}};
  wanted.evaluation.threads = request.threads;
  const Explanation explanation = explain(module, std::move(arguments), wanted);
  return {.text = dump({{"text", explanation.text}})};
}

}  // namespace

RequestAnswer run_request(const Request& request, StopSignal& stop) {
  const SharedLimitsScope scope(limits_of(request, stop));
  const Module module = module_of(request);
  DeviceArguments arguments = device_arguments(module, request.inputs);
  switch (request.operation) {
    case Operation::kEvaluate:
      return evaluate_request(request, module, std::move(arguments));
    case Operation::kJudge:
      return judge_request(request, module, arguments);
    case Operation::kExplain:
      return explain_request(request, module, std::move(arguments));
    case Operation::kBounds:
      break;
  }
  return bounds_request(request, module, arguments);
}

}  // namespace hlo::conformance
