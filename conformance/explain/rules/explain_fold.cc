#include "conformance/explain/rules/explain_fold.h"

#include <fmt/format.h>

#include "conformance/explain/recording/element.h"
#include "conformance/explain/story/explain_joined.h"
#include "conformance/explain/story/story.h"
#include "interpreter/counted.h"
#include "interpreter/plans/fold/fold.h"

namespace hlo::conformance {
namespace {

int64_t cell_count(const Fold& fold) {
  int64_t count = 1;
  for (const FoldAxis& axis : fold.axes) count *= axis.cells;
  return count;
}

/// The init value, and then the element of each cell.
std::vector<Term> terms_of(Story& story, const std::vector<int64_t>& cells) {
  const Point& point = story.point();
  std::vector<Term> terms = {
      {"init " + story.operand(1, 0), point.run.operands[1].scalar()}};
  const auto most = static_cast<size_t>(point.request.terms);
  for (const int64_t cell : cells) {
    const bool shown = terms.size() <= most;
    const Index index = delinearize(cell, point.run.operands[0].shape().dims);
    const Scalar value = point.run.operands[0].at(cell);
    terms.push_back(
        {shown ? story.operand(0, cell)
               : element_name(*point.instruction().operands[0], {}, index) +
                     " = " + value_text(value),
         value});
  }
  return terms;
}

/// Several inputs: the region joins tuples of them.
void explain_several(Story& story, const Fold& fold,
                     const std::vector<int64_t>& cells) {
  const Point& point = story.point();
  const auto inputs = static_cast<size_t>(fold.inputs);
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
    values = apply_region(*fold.reducer, arguments);
    lines.push_back(fmt::format(
        "cell {}: %{}({}) = ({})",
        index_text(delinearize(cell, point.run.operands[0].shape().dims)),
        fold.reducer->name, value_texts(arguments), value_texts(values)));
  }
  list_terms(story, lines);
  story.say(fmt::format("result {} of %{}: {}", index_text(point.tuple_index),
                        fold.reducer->name, value_text(point.result())));
}

}  // namespace

void explain_fold(Story& story) {
  const Point& point = story.point();
  const Instruction& instruction = point.instruction();
  const Fold fold = instruction.op->fold(instruction);
  std::vector<int64_t> cells;
  for_each_cell(fold, point.position,
                [&](int64_t cell) { cells.push_back(cell); });
  const int64_t all = cell_count(fold);
  const auto count = std::ssize(cells);
  story.say(fmt::format(
      "{} of the operand and the init value{}", counted(count, "element"),
      count < all
          ? fmt::format("; {} of {} on padding, "
                        "which is no term",
                        all - count, counted(all, "cell is", "cells are"))
          : ""));
  if (fold.inputs != 1) return explain_several(story, fold, cells);
  const std::vector<Term> terms = terms_of(story, cells);
  std::vector<std::string> lines;
  lines.reserve(terms.size());
  for (const Term& term : terms) lines.push_back(term.text);
  list_terms(story, lines);
  explain_joined(story, *fold.reducer, terms);
}

}  // namespace hlo::conformance
