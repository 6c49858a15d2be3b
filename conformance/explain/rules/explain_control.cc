#include "conformance/explain/rules/explain_control.h"

#include <fmt/format.h>

#include "conformance/explain/recording/element.h"
#include "conformance/explain/rules/explain_scan.h"
#include "conformance/explain/story/story.h"
#include "interpreter/counted.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/callee.h"

namespace hlo::conformance {
namespace {

/// The result is that of the computation's last run.
void come_from_root(Story& story, const Computation& computation) {
  const Point& point = story.point();
  const Instruction& root = *computation.root;
  const std::string name =
      "%" + computation.name + "/" +
      element_name(root, point.tuple_index, point.index).substr(1);
  const auto found = point.recording.latest.find(&root);
  if (found == point.recording.latest.end()) {
    story.say("the result of " + name);
    return;
  }
  const Literal& value = part_of(found->second.result, point.tuple_index);
  const Scalar from = value.at(point.position);
  story.use({&root, point.tuple_index, point.index});
  story.copy_of(from, name + " = " + value_text(from));
}

/// How often the computation ran for this result; nothing where only the last
/// run of an instruction is known.
std::optional<int64_t> runs_of(const Point& point, const Computation& called) {
  if (&point.run != &point.recording.wanted) return std::nullopt;
  const auto found = point.recording.runs_within.find(&called);
  return found == point.recording.runs_within.end() ? 0 : found->second;
}

void explain_while(Story& story) {
  const Point& point = story.point();
  const auto& body = *point.instruction().get<Computation*>("body");
  const auto& condition = *point.instruction().get<Computation*>("condition");
  const auto runs = runs_of(point, body);
  if (runs == 0) {
    story.say(
        fmt::format("%{} is false at once: no iteration", condition.name));
    return story.copy(0, point.position, point.tuple_index);
  }
  if (runs) {
    story.say(fmt::format("%{} is false after {}: the last one gives this",
                          condition.name, counted(*runs, "iteration")));
  } else {
    story.say("the last iteration gives this");
  }
  come_from_root(story, body);
}

/// The branch that ran, as the operation itself says.
void explain_conditional(Story& story) {
  const Point& point = story.point();
  const Instruction& conditional = point.instruction();
  ControlState state;
  Evaluator evaluator(kReference);
  const Progress progress = conditional.op->control(
      conditional, point.run.operands, state, evaluator);
  const Computation& branch = *std::get<Invoke>(progress).computation;
  const Shape& selector = point.run.operands[0].shape();
  story.say(fmt::format(
      "the {} {} chooses %{}",
      selector.element_type == ElementType::kPred ? "predicate" : "index",
      story.operand(0, 0), branch.name));
  come_from_root(story, branch);
}

}  // namespace

void explain_control(Story& story) {
  const Instruction& instruction = story.point().instruction();
  const Form form = instruction.op->form;
  if (form == Form::kLoop) return explain_while(story);
  if (form == Form::kBranches) return explain_conditional(story);
  if (form == Form::kScan) return explain_scan(story);
  const Computations called = called_by(instruction);
  if (called.size() == 1) {
    story.say(fmt::format("%{} runs %{} on its operands", instruction.name,
                          called[0]->name));
    return come_from_root(story, *called[0]);
  }
  story.say("the result of the computations that it runs");
}

}  // namespace hlo::conformance
