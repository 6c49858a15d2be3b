#include "conformance/explain/rules/explain_scan.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/explain/recording/element.h"
#include "conformance/explain/story/explain_joined.h"
#include "interpreter/counted.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/dimensions/scan_parts.h"
#include "interpreter/rules/dimensions/slices.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

constexpr int64_t kMostSteps = 100'000;  // that are walked again

/// The explained element as one of what a step returns.
struct Traced {
  size_t leaf;    // of the body's results
  bool in_tuple;  // which these are
  Ints inner;     // of the array in it
  Index index;    // in that array
  int64_t last;   // the step that gives it; -1 for none

  Traced(const Point& point, const ScanParts& scan)
      : leaf(scan.gives_tuple ? static_cast<size_t>(point.tuple_index.at(0))
                              : 0),
        in_tuple(scan.body->root->shape.is_tuple()),
        inner(point.tuple_index.begin() + (scan.gives_tuple ? 1 : 0),
              point.tuple_index.end()),
        index(point.index),
        last(scan.steps - 1) {
    if (leaf >= scan.outputs) return;
    const auto at = index.begin() + scan.d;
    last = scan.slice_of(*at);
    index.erase(at);
  }

  /// As an element of the body's result.
  Ints tuple_index() const {
    Ints list;
    if (in_tuple) list.push_back(static_cast<int64_t>(leaf));
    list.insert(list.end(), inner.begin(), inner.end());
    return list;
  }

  /// The element of an argument or result at the same index, else its shape.
  std::string text_in(const Literal& value) const {
    if (value.shape().is_array()) {
      if (value.shape().is_scalar()) return text::print(value.scalar());
      if (value.shape().contains(index)) return text::print(value.at(index));
    }
    return to_string(value.shape(), false);
  }

  std::string text_in(const std::vector<Literal>& values) const {
    std::string text;
    for (const Literal& value : values) {
      text += (text.empty() ? "" : ", ") + text_in(value);
    }
    return text;
  }
};

/// Whether what the instruction runs gives the same when it runs again, by
/// itself.
bool stands_alone(const Instruction& instruction) {
  return std::ranges::all_of(
      with_called(called_by(instruction)), [](const Computation* called) {
        return std::ranges::all_of(called->instructions, [](const auto& inner) {
          return inner->op->communicate == nullptr &&
                 !moves_random_state(*inner->op);
        });
      });
}

/// Runs the steps again.
class Walk {
 public:
  Walk(const Point& point, const ScanParts& scan) : point_(point), scan_(scan) {
    for (size_t k = scan.inputs; k < point.run.operands.size(); ++k) {
      carries_.push_back(point.run.operands[k]);
    }
  }

  /// The slices of one step and the carries before it.
  std::vector<Literal> arguments(int64_t step) const {
    std::vector<Literal> result;
    for (size_t k = 0; k < scan_.inputs; ++k) {
      result.push_back(take_slice(point_.run.operands[k],
                                  scan_.body->parameters[k]->shape, scan_.d,
                                  scan_.slice_of(step)));
    }
    result.insert(result.end(), carries_.begin(), carries_.end());
    return result;
  }

  /// What the body returns; the carries are those after the step.
  std::vector<Literal> take(std::vector<Literal> arguments,
                            const Observer& observer) {
    EvaluatorOptions options;
    options.custom_calls = point_.request.evaluation.custom_calls;
    options.observer = observer;
    Evaluator evaluator(kReference, options);
    std::vector<Literal> results =
        ScanParts::values_of(evaluator.run(*scan_.body, std::move(arguments)));
    carries_.assign(
        results.begin() + static_cast<std::ptrdiff_t>(scan_.outputs),
        results.end());
    return results;
  }

 private:
  const Point& point_;
  const ScanParts& scan_;
  std::vector<Literal> carries_;
};

/// The element of operand k that has the traced index, else its first one.
int64_t position_in(const Literal& operand, const Index& index) {
  return operand.shape().contains(index)
             ? linearize(index, operand.shape().dims)
             : 0;
}

/// The index of an input's element, of that of a slice.
Index with_slice(Index index, int64_t d, int64_t slice) {
  if (d > std::ssize(index)) return index;
  index.insert(index.begin() + d, slice);
  return index;
}

/// The operands' elements that the last step, or the first, begins with.
void tell_operands(Story& story, const ScanParts& scan, const Traced& traced) {
  const Point& point = story.point();
  for (size_t k = scan.inputs; k < point.run.operands.size(); ++k) {
    const Literal& carry = point.run.operands[k];
    if (!carry.shape().is_array() || carry.element_count() == 0) continue;
    story.say("first " + story.operand(k, position_in(carry, traced.index)));
  }
  if (traced.last < 0) return;
  const int64_t slice = scan.slice_of(traced.last);
  for (size_t k = 0; k < scan.inputs; ++k) {
    const Literal& input = point.run.operands[k];
    if (input.element_count() == 0) continue;
    Index index = with_slice(traced.index, scan.d, slice);
    if (!input.shape().contains(index)) {
      index.assign(input.shape().dims.size(), 0);
      index[static_cast<size_t>(scan.d)] = slice;
    }
    story.say(
        fmt::format("slice {} of operand {}: {}", slice, k,
                    story.operand(k, linearize(index, input.shape().dims))));
  }
}

/// Walks to the end of the step that gives the element, and tells each step.
void walk_steps(Story& story, const ScanParts& scan, const Traced& traced) {
  const Point& point = story.point();
  tell_operands(story, scan, traced);
  if (traced.last < 0) {
    return story.copy(scan.inputs + traced.leaf - scan.outputs, point.position,
                      traced.inner);
  }
  Recording kept;
  kept.device = point.recording.device;
  const Observer keep = [&](const Instruction& instruction, Operands operands,
                            const Literal& result) {
    kept.latest.insert_or_assign(
        &instruction,
        Observed{&instruction, {operands.begin(), operands.end()}, result});
  };
  Walk walk(point, scan);
  std::vector<std::string> lines;
  std::vector<Literal> results;
  for (int64_t step = 0; step <= traced.last; ++step) {
    const std::vector<Literal> arguments = walk.arguments(step);
    results = walk.take(arguments, step == traced.last ? keep : Observer());
    lines.push_back(fmt::format("slice {}: %{}({}) = ({})", scan.slice_of(step),
                                scan.body->name, traced.text_in(arguments),
                                traced.text_in(results)));
  }
  if (!traced.index.empty()) {
    story.say(
        fmt::format("of arrays the elements {}:", index_text(traced.index)));
  }
  list_terms(story, lines);
  story.keep(std::move(kept));
  story.use({scan.body->root, traced.tuple_index(), traced.index});
  story.copy_of(part_of(results.at(traced.leaf), traced.inner).at(traced.index),
                fmt::format("result {} of the last of these", traced.leaf));
}

/// Names a step that cannot be run again alone.
void name_step(Story& story, const ScanParts& scan, const Traced& traced) {
  tell_operands(story, scan, traced);
  story.say(fmt::format(
      "it is run {0} of %{1} for this scan that gives it: --element "
      "'%{1}/{2}' --run {0} explains that where the scan runs once",
      traced.last + 1, scan.body->name,
      element_name(*scan.body->root, traced.tuple_index(), traced.index)
          .substr(1)));
  story.say("which is " + value_text(story.point().result()));
}

}  // namespace

void explain_scan(Story& story) {
  const Point& point = story.point();
  const ScanParts scan(point.instruction(), point.run.operands);
  const Traced traced(point, scan);
  story.say(traced.leaf >= scan.outputs
                ? fmt::format("carry {} after {} of %{}",
                              traced.leaf - scan.outputs,
                              counted(scan.steps, "step"), scan.body->name)
                : fmt::format("output {} of %{} at slice {} along dimension "
                              "{}, step {} of {}",
                              traced.leaf, scan.body->name,
                              point.index[static_cast<size_t>(scan.d)], scan.d,
                              traced.last + 1, scan.steps));
  if (traced.last < kMostSteps && stands_alone(story.point().instruction())) {
    return walk_steps(story, scan, traced);
  }
  name_step(story, scan, traced);
}

}  // namespace hlo::conformance
