#include <fmt/format.h>

#include <algorithm>

#include "conformance/explain/element.h"
#include "conformance/explain/joined.h"
#include "conformance/explain/story.h"

namespace hlo::conformance {
namespace {

/// The result is that of the computation's last run.
void come_from_root(Story& story, const Computation& computation) {
  const Point& point = story.point();
  const Instruction& root = *computation.root;
  const std::string name = "%" + computation.name + "/" +
                           element_name(root, point.tuple_index, point.index);
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
    story.say(fmt::format("%{} is false after {} {}: the last one gives this",
                          condition.name, *runs,
                          *runs == 1 ? "iteration" : "iterations"));
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
  const Progress progress =
      conditional.op->control(conditional, point.run.operands, state);
  const Computation& branch = *std::get<Invoke>(progress).computation;
  const Shape& selector = point.run.operands[0].shape();
  story.say(fmt::format(
      "the {} {} chooses %{}",
      selector.element_type == ElementType::kPred ? "predicate" : "index",
      story.operand(0, 0), branch.name));
  come_from_root(story, branch);
}

/// What a scan's operands and its steps are.
struct Scan {
  const Instruction& instruction;
  const Computation& body;
  size_t carries;
  size_t inputs;
  size_t outputs;
  size_t d;
  bool is_reverse;
  int64_t steps;

  explicit Scan(const Point& point)
      : instruction(point.instruction()),
        body(*instruction.get<Computation*>("to_apply")),
        carries(
            static_cast<size_t>(instruction.get_or<int64_t>("num_carries", 0))),
        inputs(point.run.operands.size() - carries),
        outputs(instruction.shape.tuple_shapes.size() - carries),
        d(static_cast<size_t>(instruction.get<Ints>("dimensions")[0])),
        is_reverse(instruction.get_or("is_reverse", false)) {
    const Literal& input = point.run.operands[0];
    steps = input.dynamic_sizes().empty() ? input.shape().dims[d]
                                          : input.dynamic_sizes()[d];
  }

  int64_t slice_of(int64_t step) const {
    return is_reverse ? steps - 1 - step : step;
  }

  /// Whether every slice and every carry is one element.
  bool is_scalar() const {
    return std::ranges::all_of(body.parameters,
                               [](const Instruction* parameter) {
                                 return parameter->shape.is_scalar();
                               });
  }
};

/// Walks to the end of step `last` and tells each step.
void walk_steps(Story& story, const Scan& scan, int64_t last) {
  const Point& point = story.point();
  std::vector<Scalar> carries;
  for (size_t k = scan.inputs; k < point.run.operands.size(); ++k) {
    story.say("first " + story.operand(k, 0));
    carries.push_back(point.run.operands[k].scalar());
  }
  std::vector<std::string> lines;
  std::vector<Scalar> results = carries;
  for (int64_t step = 0; step <= last; ++step) {
    std::vector<Scalar> arguments;
    for (size_t k = 0; k < scan.inputs; ++k) {
      arguments.push_back(point.run.operands[k].at(scan.slice_of(step)));
    }
    arguments.insert(arguments.end(), carries.begin(), carries.end());
    results = apply_region(scan.body, arguments);
    carries.assign(results.begin() + static_cast<std::ptrdiff_t>(scan.outputs),
                   results.end());
    lines.push_back(fmt::format("slice {}: %{}({}) = ({})", scan.slice_of(step),
                                scan.body.name, value_texts(arguments),
                                value_texts(results)));
  }
  list_terms(story, lines);
  const auto leaf = static_cast<size_t>(point.tuple_index.at(0));
  if (last < 0) {
    return story.copy(scan.inputs + leaf - scan.outputs, point.position);
  }
  story.copy_of(results.at(leaf),
                fmt::format("result {} of the last of these", leaf));
}

void explain_scan(Story& story) {
  constexpr int64_t kMostSteps = 100'000;  // that are walked again
  const Point& point = story.point();
  const Scan scan(point);
  const auto leaf = static_cast<size_t>(point.tuple_index.at(0));
  const bool is_carry = leaf >= scan.outputs;
  const int64_t slice = is_carry ? 0 : point.index[scan.d];
  const int64_t last = is_carry
                           ? scan.steps - 1
                           : (scan.is_reverse ? scan.steps - 1 - slice : slice);
  story.say(is_carry
                ? fmt::format("carry {} after {} steps of %{}",
                              leaf - scan.outputs, scan.steps, scan.body.name)
                : fmt::format("output {} of %{} at slice {} along dimension "
                              "{}, step {} of {}",
                              leaf, scan.body.name, slice, scan.d, last + 1,
                              scan.steps));
  if (scan.is_scalar() && last < kMostSteps) {
    return walk_steps(story, scan, last);
  }
  story.say(
      fmt::format("%{} gives {}", scan.body.name, value_text(point.result())));
}

}  // namespace

void explain_control(Story& story) {
  const Instruction& instruction = story.point().instruction();
  const std::string_view name = instruction.op->name;
  if (name == "while") return explain_while(story);
  if (name == "conditional") return explain_conditional(story);
  if (name == "scan") return explain_scan(story);
  const std::vector<const Computation*> called = called_by(instruction);
  if (called.size() == 1) {
    story.say(fmt::format("%{} runs %{} on its operands", instruction.name,
                          called[0]->name));
    return come_from_root(story, *called[0]);
  }
  story.say("the result of the computations that it runs");
}

}  // namespace hlo::conformance
