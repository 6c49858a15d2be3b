#include "conformance/python/library/result_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "backends/backend.h"
#include "conformance/certify/certify.h"
#include "conformance/expect/expect_module.h"
#include "conformance/literals/describe_scalar.h"
#include "interpreter/counted.h"
#include "interpreter/error.h"
#include "interpreter/rules/sizes/sizes.h"

namespace hlo::conformance {
namespace {

/// The result in the shape that the program says; an array of fewer elements
/// than a dynamic dimension's bound has those at run time. Nothing where it is
/// no such array.
std::optional<Literal> in_shape(const Literal& result, const Shape& shape) {
  if (compatible(result.shape(), shape, /*ignore_dynamic=*/true)) {
    return result.with_shape(shape);
  }
  if (result.type() != shape.element_type ||
      result.shape().rank() != shape.rank()) {
    return std::nullopt;
  }
  for (size_t d = 0; d < shape.dims.size(); ++d) {
    const int64_t size = result.shape().dims[d];
    const bool fits = shape.is_dynamic(static_cast<int64_t>(d))
                          ? size <= shape.dims[d]
                          : size == shape.dims[d];
    if (!fits) return std::nullopt;
  }
  return in_bounds(result, shape);
}

ResultReport misfit(std::string message) {
  return {.verdict = Verdict::kWrongShape, .message = std::move(message)};
}

/// The certified ranges in place of what is unspecified.
void add_ranges(std::vector<Expectation>& sets, const Module& module,
                const std::vector<std::vector<Literal>>& arguments,
                const CertifyOptions& options) {
  std::vector<std::vector<SetTree>> known;
  for (const std::vector<Literal>& list : arguments) {
    std::ranges::transform(list, std::back_inserter(known.emplace_back()),
                           SetTree::known);
  }
  std::vector<SetTree> trees;
  try {
    trees = certify_devices(module, known, options);
  } catch (const Error& error) {
    if (error.rule() == "evaluate.work") throw;
    return;  // the leaves stay unjudged, for the reason they have
  }
  size_t number = 0;
  for (const SetTree& tree : trees) {
    for (const SetTree* leaf : array_leaves_of(tree)) {
      Expectation& set = sets.at(number++);
      if (!std::holds_alternative<UnspecifiedSet>(set)) continue;
      if (leaf->is_open()) {
        set = UnspecifiedSet{leaf->reason()};
      } else {
        set = static_cast<const ArraySet&>(*leaf);
      }
    }
  }
}

bool is_unspecified(const Expectation& set) {
  return std::holds_alternative<UnspecifiedSet>(set);
}

/// The worst verdict first.
Verdict worst(const std::vector<Judgement>& leaves) {
  for (const Verdict verdict :
       {Verdict::kWrongShape, Verdict::kDiffers, Verdict::kUnjudged}) {
    if (std::ranges::any_of(leaves, [&](const Judgement& leaf) {
          return leaf.verdict == verdict;
        })) {
      return verdict;
    }
  }
  return Verdict::kConforms;
}

std::string elements_text(const Closeness& closeness) {
  return fmt::format("{}, {} not the reference's bits",
                     counted(closeness.elements, "element"), closeness.inexact);
}

/// The first element outside, line by line.
std::string difference_text(const Difference& difference,
                            const Closeness& closeness) {
  std::string text = fmt::format(
      "  element {{{}}} ({} of {} outside)\n"
      "    expected   {}\n    reference  {}\n    actual     {}\n",
      fmt::join(difference.index, ","), closeness.outside,
      counted(closeness.elements, "element"), difference.expected,
      describe(difference.reference), describe(difference.actual));
  if (!difference.ulps) return text;
  return text + fmt::format("    apart      {} ulp\n", *difference.ulps);
}

}  // namespace

ResultReport judge_results(const Module& module,
                           const std::vector<std::vector<Literal>>& arguments,
                           const std::vector<Literal>& results,
                           const Profile& profile) {
  const std::vector<Shape> shapes = result_shapes(module);
  if (results.size() != shapes.size()) {
    return misfit(fmt::format("the result has {} instead of {}",
                              counted(std::ssize(results), "leaf", "leaves"),
                              shapes.size()));
  }
  std::vector<Literal> observed;
  for (size_t i = 0; i < shapes.size(); ++i) {
    std::optional<Literal> leaf = in_shape(results[i], shapes[i]);
    if (!leaf) {
      return misfit(fmt::format("leaf {} has the shape {} instead of {}", i,
                                to_string(results[i].shape(), false),
                                to_string(shapes[i], false)));
    }
    observed.push_back(std::move(*leaf));
  }
  std::vector<Expectation> sets =
      expect_devices(module, arguments, &observed, profile);
  if (std::ranges::any_of(sets, is_unspecified)) {
    add_ranges(sets, module, arguments, {.profile = profile});
  }
  ResultReport report;
  for (size_t i = 0; i < sets.size(); ++i) {
    report.leaves.push_back(
        judge({&sets[i], 1}, std::vector<Literal>{observed[i]}));
  }
  report.verdict = worst(report.leaves);
  return report;
}

std::string describe(const ResultReport& report,
                     const std::vector<Literal>& results) {
  std::string text = std::string(name(report.verdict)) + "\n";
  if (!report.message.empty()) text += "  " + report.message + "\n";
  for (size_t i = 0; i < report.leaves.size(); ++i) {
    const Judgement& leaf = report.leaves[i];
    text += fmt::format("leaf {}: {} {}", i,
                        to_string(results.at(i).shape(), false),
                        name(leaf.verdict));
    text += leaf.message.empty() ? "; " + elements_text(leaf.closeness) + "\n"
                                 : ": " + leaf.message + "\n";
    if (leaf.difference) {
      text += difference_text(*leaf.difference, leaf.closeness);
    }
  }
  text.pop_back();
  return text;
}

}  // namespace hlo::conformance
