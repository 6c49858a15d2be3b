#include "conformance/explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "conformance/explain/recording/element.h"
#include "conformance/explain/recording/recording.h"
#include "conformance/explain/rules/explain_communicate.h"
#include "conformance/explain/rules/explain_contraction.h"
#include "conformance/explain/rules/explain_control.h"
#include "conformance/explain/rules/explain_elementwise.h"
#include "conformance/explain/rules/explain_eval.h"
#include "conformance/explain/rules/explain_fold.h"
#include "conformance/explain/rules/explain_movement.h"
#include "conformance/explain/rules/explain_updating.h"
#include "conformance/explain/story/story.h"
#include "conformance/layout/layout_text.h"
#include "conformance/literals/describe_scalar.h"
#include "interpreter/arithmetic_state.h"
#include "interpreter/rules/sizes/sizes.h"
#include "interpreter/sized.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

constexpr int kDeepest = 100;

void explain_by_rule(Story& story) {
  const Op& op = *story.point().instruction().op;
  if (op.element != nullptr) return explain_elementwise(story);
  if (op.source != nullptr) return explain_movement(story);
  if (op.cells != nullptr) return explain_fold(story);
  if (op.terms != nullptr) return explain_contraction(story);
  if (op.updates != nullptr) return explain_updating(story);
  if (op.control != nullptr) return explain_control(story);
  if (op.communicate != nullptr) return explain_communicate(story);
  explain_eval(story);
}

/// Explains the element on arrays of the sizes that they have at run time.
void explain_at_sizes(Story& story) {
  const Point& point = story.point();
  const Instruction& instruction = point.instruction();
  const SizedRun sized = at_sizes(instruction, point.run.operands);
  for (size_t k = 0; k < point.run.operands.size(); ++k) {
    const Ints& sizes = point.run.operands[k].dynamic_sizes();
    if (sizes.empty()) continue;
    story.say(fmt::format("%{} has the sizes {} at run time",
                          instruction.operands[k]->name, index_text(sizes)));
  }
  const Observed run{&sized.instruction, sized.operands, cut(point.run.result)};
  const Literal& array = part_of(run.result, point.tuple_index);
  const Point inner{run,
                    point.recording,
                    point.request,
                    point.tuple_index,
                    point.index,
                    array,
                    linearize(point.index, array.shape().dims)};
  Story told(inner);
  explain_by_rule(told);
  story.adopt(told, [&](const Instruction* part) {
    const auto found = std::ranges::find(sized.instruction.operands, part);
    return found == sized.instruction.operands.end()
               ? part
               : instruction.operands[static_cast<size_t>(
                     found - sized.instruction.operands.begin())];
  });
}

bool is_default_layout(const Shape& shape) {
  if (!shape.layout) return true;
  Shape plain = Shape::array(shape.element_type, shape.dims);
  plain.layout = Layout{};
  for (int64_t d = shape.rank(); d-- > 0;) {
    plain.layout->minor_to_major.push_back(d);
  }
  return *shape.layout == *plain.layout;
}

/// Where the element lies in the memory of a device, for unusual layouts.
void explain_layout(Story& story) {
  const Point& point = story.point();
  const Shape& shape = part_of(point.instruction().shape, point.tuple_index);
  if (is_default_layout(shape) || shape.element_count() == 0) return;
  story.say("in memory " + describe_element(Memory(shape), point.index));
}

bool is_live(const Literal& array, const Index& index) {
  const Ints& sizes = array.dynamic_sizes();
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (index[d] >= sizes[d]) return false;
  }
  return true;
}

/// One instruction after the other, from the explained one back.
class Teller {
 public:
  Teller(const Recording& recording, const ExplainRequest& request)
      : recording_(recording), request_(request) {}

  Explanation tell(const Element& element) {
    const Explanation facts = tell(recording_, recording_.wanted,
                                   element.tuple_index, element.index, 0);
    Explanation result = facts;
    result.text = std::move(text_);
    return result;
  }

 private:
  /// One run, which is the recording's or one of the latest in it.
  Explanation tell(const Recording& recording, const Observed& run,
                   const Ints& tuple_index, const Index& index, int level) {
    const Literal& array = part_of(run.result, tuple_index);
    const Point point{run,
                      recording,
                      request_,
                      tuple_index,
                      index,
                      array,
                      linearize(index, array.shape().dims)};
    Story story(point);
    line(level, fmt::format("{} = {}",
                            element_name(*run.instruction, tuple_index, index),
                            describe(point.result())));
    line(level, "  " + text::print(*run.instruction));
    explain_layout(story);
    if (is_live(array, index)) {
      const bool sized = runs_at_sizes(*run.instruction, run.operands);
      sized ? explain_at_sizes(story) : explain_by_rule(story);
    } else {
      story.say(
          fmt::format("past the sizes at run time, {}: there is no such "
                      "element, and its bits say nothing",
                      index_text(array.dynamic_sizes())));
    }
    for (const std::string& text : story.lines()) line(level, "  " + text);
    if (level + 1 < request_.depth) tell_uses(story, level + 1);
    return story.facts();
  }

  void tell_uses(const Story& story, int level) {
    int64_t told = 0;
    for (const Use& use : story.uses()) {
      for (const Recording* recording :
           {story.kept(), &story.point().recording}) {
        if (recording == nullptr) continue;
        const auto found = recording->latest.find(use.instruction);
        if (found == recording->latest.end()) continue;
        if (told++ >= request_.terms) return;
        tell(*recording, found->second, use.tuple_index, use.index, level);
        break;
      }
    }
  }

  void line(int level, const std::string& text) {
    constexpr size_t kIndent = 4;
    text_ +=
        std::string(static_cast<size_t>(level) * kIndent, ' ') + text + "\n";
  }

  const Recording& recording_;
  const ExplainRequest& request_;
  std::string text_;
};

std::string run_text(const Recording& recording,
                     const ExplainRequest& request) {
  if (recording.runs < 2) return "";
  return fmt::format("run {} of {}; --run chooses another\n", request.run,
                     recording.runs);
}

}  // namespace

Explanation explain(const Module& module,
                    std::vector<std::vector<Literal>> arguments,
                    const ExplainRequest& request) {
  const ReferenceArithmetic arithmetic;
  require_evaluable(request.depth <= kDeepest, "explain.depth",
                    {"--depth is ", request.depth}, "it can be at most 100");
  const Element element = parse_element(request.element, module);
  const Recording recording = record(module, std::move(arguments),
                                     {.instruction = element.instruction,
                                      .run = request.run,
                                      .device = request.device,
                                      .depth = request.depth},
                                     request.evaluation);
  Teller teller(recording, request);
  Explanation explanation = teller.tell(element);
  explanation.text = run_text(recording, request) + explanation.text;
  return explanation;
}

}  // namespace hlo::conformance
