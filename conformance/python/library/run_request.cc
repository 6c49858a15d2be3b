#include "conformance/python/library/run_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "backends/backend.h"
#include "conformance/certify/array/width.h"
#include "conformance/certify/certify.h"
#include "conformance/commands/verified_program.h"
#include "conformance/judge/judge_check.h"
#include "conformance/literals/describe_scalar.h"
#include "conformance/python/library/result_report.h"
#include "interpreter/rules/sizes/sizes.h"

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
  if (request.max_work > 0) return request.max_work;
  int64_t elements = 0;
  for (const Literal& input : request.inputs) elements += input.element_count();
  return Budget::by_inputs(elements);
}

RequestAnswer evaluate_request(const Request& request, const Module& module,
                               DeviceArguments arguments, StopSignal& stop) {
  EvaluatorOptions options;
  options.threads = request.threads;
  options.budget = stop.budget(budget_of(request));
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

/// Where any NaN may be.
Literal nans_of(const SetTree& leaf) {
  Literal nans(Shape::array(ElementType::kPred, leaf.value.shape().dims));
  const int parts = is_complex(leaf.value.type()) ? 2 : 1;
  for (int64_t i = 0; i < nans.element_count(); ++i) {
    bool may_be = false;
    for (int part = 0; part < parts; ++part) {
      may_be = may_be || leaf.at(i, part).has_nan();
    }
    nans.set(i, {.type = ElementType::kPred, .bits = {uint64_t{may_be}, 0}});
  }
  return nans;
}

AnswerJson bounds_json(const SetTree& leaf, RequestAnswer& answer) {
  AnswerJson json = part_of(leaf.value);
  if (leaf.is_unknown()) {
    json["unknown"] = leaf.reason();
  } else if (is_complex(leaf.value.type()) && !leaf.is_known()) {
    json["unknown"] = "ranges of complex numbers have no least element";
  }
  json["text"] = leaf.is_unknown() ? "nothing is certified: " + leaf.reason()
                                   : describe(width(leaf));
  append(leaf.value, answer);
  if (json.contains("unknown")) return json;
  Literal low = ends(leaf, false);
  Literal high = ends(leaf, true);
  for (Literal* end : {&low, &high}) {
    end->set_dynamic_sizes(leaf.value.dynamic_sizes());
    append(*end, answer);
  }
  append(trimmed(nans_of(leaf), sizes_of(leaf.value)), answer);
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
  for (const SetTree& tree : certify_devices(
           module, known,
           {.profile = request.profile, .max_work = request.max_work})) {
    for (const SetTree* leaf : array_leaves_of(tree)) {
      leaves.push_back(bounds_json(*leaf, answer));
    }
  }
  answer.text = dump({{"leaves", std::move(leaves)}});
  return answer;
}

}  // namespace

RequestAnswer run_request(const Request& request, StopSignal& stop) {
  const Module module = module_of(request);
  DeviceArguments arguments = device_arguments(module, request.inputs);
  switch (request.operation) {
    case Operation::kEvaluate:
      return evaluate_request(request, module, std::move(arguments), stop);
    case Operation::kJudge:
      return judge_request(request, module, arguments);
    case Operation::kBounds:
      break;
  }
  return bounds_request(request, module, arguments);
}

}  // namespace hlo::conformance
