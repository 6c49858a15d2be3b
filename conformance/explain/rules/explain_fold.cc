#include "conformance/explain/rules/explain_fold.h"

#include <fmt/format.h>

#include "conformance/explain/recording/element.h"
#include "conformance/explain/story/explain_joined.h"
#include "conformance/explain/story/story.h"
#include "interpreter/counted.h"

namespace hlo::conformance {
namespace {

using Positions = std::vector<int64_t>;

/// The init value, and then the element of each cell.
Terms terms_of(Story& story, const Positions& cells) {
  const std::vector<Literal>& operands = story.point().run.operands;
  Terms terms{.values = {operands[1].scalar()}, .text = [&](size_t k) {
                return k == 0 ? "init " + story.operand(1, 0)
                              : story.operand(0, cells[k - 1]);
              }};
  for (const int64_t cell : cells) terms.values.push_back(operands[0].at(cell));
  return terms;
}

/// Several inputs: the region joins tuples of them.
void explain_several(Story& story, const Computation& region,
                     const Positions& cells) {
  const Point& point = story.point();
  const auto inputs = point.run.operands.size() / 2;
  std::vector<Scalar> values;
  for (size_t k = 0; k < inputs; ++k) {
    story.say("init " + story.operand(inputs + k, 0));
    values.push_back(point.run.operands[inputs + k].scalar());
  }
  std::vector<std::string> lines;
  const auto most = static_cast<size_t>(point.request.terms);
  for (const int64_t cell : cells) {
    std::vector<Scalar> arguments = values;
    for (size_t k = 0; k < inputs; ++k) {
      if (lines.size() < most) story.operand(k, cell);
      arguments.push_back(point.run.operands[k].at(cell));
    }
    arguments = as_parameters(region, std::move(arguments));
    values = apply_region(region, arguments);
    lines.push_back(fmt::format(
        "cell {}: %{}({}) = ({})",
        index_text(delinearize(cell, point.run.operands[0].shape().dims)),
        region.name, value_texts(arguments), value_texts(values)));
  }
  story.note_steps(is_result(story, values));
  list_terms(story, lines);
  story.say(fmt::format("result {} of %{}: {}", index_text(point.tuple_index),
                        region.name, value_text(point.result())));
}

}  // namespace

void explain_fold(Story& story) {
  const Point& point = story.point();
  const Instruction& instruction = point.instruction();
  const Computation& region = *instruction.get<Computation*>("to_apply");
  Positions cells;
  instruction.op->cells(instruction, point.index, [&](const Index& cell) {
    cells.push_back(linearize(cell, instruction.operand_shape(0).dims));
  });
  story.say(counted(std::ssize(cells), "element") +
            " of the operand and the init value");
  if (instruction.operands.size() != 2) {
    return explain_several(story, region, cells);
  }
  const Terms terms = terms_of(story, cells);
  list_terms(story, terms);
  explain_joined(story, region, terms);
}

}  // namespace hlo::conformance
