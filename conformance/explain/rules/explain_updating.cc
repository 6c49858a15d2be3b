#include "conformance/explain/rules/explain_updating.h"

#include <fmt/format.h>

#include "conformance/explain/recording/element.h"
#include "conformance/explain/story/explain_joined.h"
#include "conformance/explain/story/story.h"
#include "interpreter/counted.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/dimensions/scatter_dimensions.h"
#include "interpreter/rules/dimensions/updates_rule.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

/// Which element of the scatter indices the window of an update begins with.
std::string window_text(const Point& point, int64_t source) {
  const Instruction& scatter = point.instruction();
  if (!scatter.op->takes("scatter_dims_to_operand_dims")) return "";
  const ScatterDimensions dims(scatter);
  const size_t n = point.run.operands.size() / 2;
  const Literal& indices = point.run.operands[n];
  const Ints& update_dims = point.run.operands[n + 1].shape().dims;
  const Index update = delinearize(source, update_dims);
  Index batch;
  for (const int64_t d : dims.scatter_dims_of_updates(std::ssize(update))) {
    batch.push_back(update[static_cast<size_t>(d)]);
  }
  std::string vector;
  for (size_t k = 0; k < dims.to_operand.size(); ++k) {
    Index from = batch;
    if (dims.index_vector_dim < indices.shape().rank()) {
      from.insert(from.begin() + dims.index_vector_dim,
                  static_cast<int64_t>(k));
    }
    vector += (k == 0 ? "" : ", ") + fmt::format("dimension {} from {}",
                                                 dims.to_operand[k],
                                                 text::print(indices.at(from)));
  }
  return fmt::format(", of the window at %{}{}: {}", scatter.operands[n]->name,
                     index_text(batch), vector);
}

/// The element before any update, and each update of it.
Terms terms_of(Story& story, const Updates& updates,
               const std::vector<int64_t>& sources) {
  const Point& point = story.point();
  const auto text = [&](size_t k) {
    const size_t initial = updates.first_initial;
    const bool is_splat = point.run.operands[initial].shape().is_scalar();
    if (k == 0) {
      return "first " + story.operand(initial, is_splat ? 0 : point.position);
    }
    const int64_t source = sources[k - 1];
    return "update " + story.operand(updates.first_source, source) +
           window_text(point, source);
  };
  Terms terms{.values = {updates.initial[0].at(point.position)}, .text = text};
  for (const int64_t source : sources) {
    terms.values.push_back(point.run.operands[updates.first_source].at(source));
  }
  return terms;
}

/// Several results: the region gets all of them.
void explain_several(Story& story, const Updates& updates,
                     const std::vector<int64_t>& sources) {
  const Point& point = story.point();
  const size_t n = updates.initial.size();
  std::vector<Scalar> values;
  for (size_t k = 0; k < n; ++k) {
    story.say("first " + story.operand(k, point.position));
    values.push_back(updates.initial[k].at(point.position));
  }
  std::vector<std::string> lines;
  for (const int64_t source : sources) {
    std::vector<Scalar> arguments = values;
    std::string texts;
    for (size_t k = 0; k < n; ++k) {
      const size_t operand = updates.first_source + k;
      texts += (k == 0 ? "" : ", ") + story.operand(operand, source);
      arguments.push_back(point.run.operands[operand].at(source));
    }
    values = apply_region(*updates.region,
                          as_parameters(*updates.region, std::move(arguments)));
    lines.push_back(fmt::format("update {}: %{} gives ({})", texts,
                                updates.region->name, value_texts(values)));
  }
  story.note_steps(is_result(story, values));
  list_terms(story, lines);
  story.say(fmt::format("result {}: {}", index_text(point.tuple_index),
                        value_text(point.result())));
}

bool replaces(const Computation& region) {
  return region.parameters.size() == 2 && region.root == region.parameters[1];
}

}  // namespace

void explain_updating(Story& story) {
  const Point& point = story.point();
  const Instruction& instruction = point.instruction();
  Evaluator evaluator(kReference);
  const Updates updates =
      instruction.op->updates(instruction, point.run.operands, evaluator);
  std::vector<int64_t> sources;
  for (const Update& update : in_order(updates)) {
    if (update.target == point.position) sources.push_back(update.source);
  }
  story.say(counted(std::ssize(sources), "update changes", "updates change") +
            " this element");
  if (updates.initial.size() != 1) {
    return explain_several(story, updates, sources);
  }
  const Terms terms = terms_of(story, updates, sources);
  list_terms(story, terms);
  if (replaces(*updates.region)) {
    if (!sources.empty()) story.say("the last update stays");
    return story.copy_of(terms.values.back(), terms.text(sources.size()));
  }
  explain_joined(story, *updates.region, terms);
}

}  // namespace hlo::conformance
