#include "conformance/explain/rules/explain_updating.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/explain/recording/element.h"
#include "conformance/explain/story/explain_joined.h"
#include "conformance/explain/story/story.h"
#include "interpreter/counted.h"
#include "interpreter/evaluate.h"
#include "interpreter/plans/updates/scatter_map.h"
#include "interpreter/plans/updates/updates.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

/// Which element of the scatter indices the window of an update begins with.
std::string window_text(const Point& point, int64_t source) {
  const Instruction& scatter = point.instruction();
  if (scatter.op->name != "scatter") return "";
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
std::vector<Term> terms_of(Story& story, const Updating& updating, size_t k,
                           const std::vector<int64_t>& sources) {
  const Point& point = story.point();
  const Scalar first = updating.initial[k].at(point.position);
  const bool scatters = point.instruction().op->name == "scatter";
  std::vector<Term> terms = {
      {"first " +
           story.operand(scatters ? k : 2, scatters ? point.position : 0),
       first}};
  const auto added = static_cast<size_t>(updating.first_source) + k;
  const auto most = static_cast<size_t>(point.request.terms);
  for (const int64_t source : sources) {
    std::string text;
    if (terms.size() <= most) {
      text =
          "update " + story.operand(added, source) + window_text(point, source);
    }
    terms.push_back({text, point.run.operands[added].at(source)});
  }
  return terms;
}

/// Several results: the region gets all of them.
void explain_several(Story& story, const Updating& updating,
                     const std::vector<int64_t>& sources) {
  const Point& point = story.point();
  const size_t n = updating.initial.size();
  std::vector<Scalar> values;
  for (size_t k = 0; k < n; ++k) {
    story.say("first " + story.operand(k, point.position));
    values.push_back(updating.initial[k].at(point.position));
  }
  std::vector<std::string> lines;
  for (const int64_t source : sources) {
    std::vector<Scalar> arguments = values;
    std::string texts;
    for (size_t k = 0; k < n; ++k) {
      const size_t operand = static_cast<size_t>(updating.first_source) + k;
      texts += (k == 0 ? "" : ", ") + story.operand(operand, source);
      arguments.push_back(point.run.operands[operand].at(source));
    }
    values = apply_region(*updating.region, arguments);
    lines.push_back(fmt::format("update {}: %{} gives ({})", texts,
                                updating.region->name, value_texts(values)));
  }
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
  const Updating updating =
      instruction.op->updating(instruction, point.run.operands, evaluator);
  std::vector<int64_t> sources;
  for (const Update& update : updating.updates) {
    if (update.target == point.position) sources.push_back(update.source);
  }
  story.say(counted(std::ssize(sources), "update changes", "updates change") +
            " this element");
  if (updating.initial.size() != 1) {
    return explain_several(story, updating, sources);
  }
  const std::vector<Term> terms = terms_of(story, updating, 0, sources);
  std::vector<std::string> lines;
  lines.reserve(terms.size());
  for (const Term& term : terms) lines.push_back(term.text);
  list_terms(story, lines);
  if (replaces(*updating.region)) {
    if (terms.size() > 1) story.say("the last update stays");
    return story.copy_of(terms.back().value, terms.back().text);
  }
  explain_joined(story, *updating.region, terms);
}

}  // namespace hlo::conformance
