#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "conformance/explain/element.h"
#include "conformance/explain/joined.h"
#include "conformance/explain/linear.h"
#include "conformance/explain/probe.h"
#include "conformance/explain/products.h"
#include "conformance/explain/story.h"
#include "interpreter/convert.h"
#include "interpreter/evaluate.h"
#include "interpreter/ragged.h"
#include "interpreter/scaled.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

// ------------------------------------------------------------------- copies

void explain_tuple(Story& story) {
  const Point& point = story.point();
  const Ints& list = point.tuple_index;
  story.copy(static_cast<size_t>(list.at(0)), point.position,
             {list.begin() + 1, list.end()});
}

void explain_tuple_element(Story& story) {
  const Point& point = story.point();
  Ints list = point.tuple_index;
  list.insert(list.begin(), point.instruction().get<int64_t>("index"));
  story.copy(0, point.position, list);
}

/// Operand 0 as it is.
void explain_same(Story& story) {
  const Point& point = story.point();
  story.copy(0, point.position, point.tuple_index);
}

void explain_constant(Story& story) { story.say("a constant of the program"); }

void explain_parameter(Story& story) {
  const Instruction& parameter = story.point().instruction();
  story.say(fmt::format("argument {} of %{}", parameter.parameter_number,
                        parameter.parent->name));
}

void explain_iota(Story& story) {
  const Point& point = story.point();
  const auto d = point.instruction().get<int64_t>("iota_dimension");
  const int64_t i = point.index[static_cast<size_t>(d)];
  const std::string line = fmt::format("the index along dimension {}", d);
  if (is_float(point.array.type()) || is_complex(point.array.type())) {
    return story.round(line, RealValue::of(Fraction::of(i)));
  }
  story.say(fmt::format("{} = {}", line, i));
}

/// Elements whose bits make the result's, found by turning bits.
void explain_bits(Story& story) {
  const Point& point = story.point();
  constexpr size_t kMost = 64;
  const std::vector<Literal>& operands = point.run.operands;
  const auto result = [&](const std::vector<Literal>& arrays) {
    Evaluator evaluator;
    return evaluate_instruction(point.instruction(), arrays, evaluator)
        .at(point.position);
  };
  const auto origins = find_origins(operands, {0}, kMost, result);
  if (origins.empty()) {
    story.say("no element of the operand: " + value_text(point.result()));
    return;
  }
  const bool same =
      origins.size() == 1 && operands[0].type() == point.array.type();
  if (same) return story.copy(0, origins[0].position);
  story.say(origins.size() == 1 ? "bits of this element:"
                                : "the bits of these elements, the first one's "
                                  "being the lowest:");
  for (const Origin& origin : origins) {
    story.say("  " + story.operand(0, origin.position));
  }
  story.say("make " + value_text(point.result()));
}

// ------------------------------------------------------------- computations

void explain_map(Story& story) {
  const Point& point = story.point();
  const auto& region = *point.instruction().get<Computation*>("to_apply");
  std::vector<Scalar> arguments;
  std::string texts;
  for (size_t k = 0; k < point.run.operands.size(); ++k) {
    story.say(story.operand(k, point.position));
    const ElementType type = region.parameters[k]->shape.element_type;
    const Literal argument =
        Literal::of(point.run.operands[k].at(point.position));
    arguments.push_back(converted(argument, type, Evaluator()).scalar());
    texts += (k == 0 ? "" : ", ") + text::print(arguments.back());
  }
  const Scalar value = apply_region(region, arguments).at(0);
  story.copy_of(value, fmt::format("%{}({}) = {}", region.name, texts,
                                   value_text(value)));
}

void explain_ragged(Story& story) {
  const Point& point = story.point();
  const Instruction& dot = point.instruction();
  const Evaluator evaluator;
  const ElementType type = dot.shape.element_type;
  const RaggedDot ragged = ragged_dot(dot, point.run.operands[2]);
  explain_products(story, ragged.contraction,
                   converted(point.run.operands[0], type, evaluator),
                   converted(point.run.operands[1], type, evaluator));
}

void explain_scaled(Story& story) {
  const Point& point = story.point();
  const ScaledDot scaled = scaled_dot(point.instruction(), point.run.operands);
  story.say("the factors are elements times their scales");
  explain_products(story, scaled.contraction, scaled.lhs, scaled.rhs);
}

/// The places along the sorted dimension of operand 0 that have the result's
/// element.
void explain_sorted(Story& story, int64_t dimension, const Literal& operand,
                    size_t k) {
  const Point& point = story.point();
  const auto d = static_cast<size_t>(dimension);
  story.say(fmt::format("element {} in the order of the {} along dimension {}",
                        point.index[d], operand.shape().dims[d], dimension));
  std::vector<Index> places;
  Index index = point.index;
  for (index[d] = 0; index[d] < operand.shape().dims[d]; ++index[d]) {
    if (operand.at(index) == point.result()) places.push_back(index);
  }
  if (places.empty()) return;
  const int64_t first = linearize(places[0], operand.shape().dims);
  story.copy(k, first);
  if (places.size() > 1) {
    story.say(fmt::format("and {} more have the same bits", places.size() - 1));
  }
}

void explain_sort(Story& story) {
  const Point& point = story.point();
  const Instruction& sort = point.instruction();
  const size_t k =
      point.tuple_index.empty() ? 0 : static_cast<size_t>(point.tuple_index[0]);
  story.say(fmt::format("%{} orders the elements of each line",
                        sort.get<Computation*>("to_apply")->name));
  explain_sorted(story, sort.get<Ints>("dimensions")[0], point.run.operands[k],
                 k);
}

void explain_topk(Story& story) {
  const Point& point = story.point();
  const Literal& operand = point.run.operands[0];
  const int64_t last = operand.shape().rank() - 1;
  story.say(point.instruction().get_or("largest", true)
                ? "the largest elements of each line, from the largest"
                : "the smallest elements of each line, from the smallest");
  if (point.tuple_index == Ints{0}) {
    return explain_sorted(story, last, operand, 0);
  }
  Index from = point.index;
  from[static_cast<size_t>(last)] = point.array.integer(point.position);
  story.say(fmt::format(
      "the place of element {}: {}", point.index[static_cast<size_t>(last)],
      story.operand(0, linearize(from, operand.shape().dims))));
}

void explain_size(Story& story) {
  const Point& point = story.point();
  const int64_t d = point.instruction().get<Ints>("dimensions")[0];
  story.say(fmt::format("the size of dimension {} of %{} at run time: {}", d,
                        point.instruction().operands[0]->name,
                        value_text(point.result())));
}

/// Which words of the generator an element of rng-bit-generator is made of.
void explain_words(Story& story) {
  const Point& point = story.point();
  const std::string& algorithm =
      point.instruction().get<Word>("algorithm").value;
  story.say("the key is " + story.operand(0, 0));
  if (point.tuple_index == Ints{0}) {
    return story.say(
        "the state with its counter moved on by the blocks that were begun: " +
        value_text(point.result()));
  }
  if (algorithm == "rng_default") {
    return story.say("words of the default generator: " +
                     value_text(point.result()));
  }
  constexpr int kWord = 32;
  const int width = bits(point.array.type());
  const int64_t first = point.position * (width > kWord ? 2 : 1);
  const int64_t words = algorithm == "rng_philox" ? 4 : 2;
  story.say(
      fmt::format("{}word {} of {}, which is word {} of the block at the "
                  "counter plus {}{}",
                  width < kWord ? "the lowest bits of " : "", first, algorithm,
                  first % words, first / words,
                  width > kWord ? ", and above it the next word" : ""));
  story.say("gives " + value_text(point.result()));
}

// ---------------------------------------------------------------- statements

/// What the result is of whole operands, in formulas of the page.
struct Statement {
  std::string_view name;
  std::string_view text;
};

constexpr auto kStatements = std::to_array<Statement>({
    {"custom-call", "what the target makes of the operands"},
    {"rng", "a number of the range, drawn by the state of the program"},
    {"rng-get-and-update-state", "the state before it moves on"},
});

void explain_by_statement(Story& story) {
  const Point& point = story.point();
  const std::string_view name = point.instruction().op->name;
  const auto* const found =
      std::ranges::find(kStatements, name, &Statement::name);
  if (found != kStatements.end()) story.say(std::string(found->text));
  for (size_t k = 0; k < point.run.operands.size(); ++k) {
    const Literal& operand = point.run.operands[k];
    if (!operand.shape().is_array() || operand.element_count() == 0) continue;
    story.say(fmt::format(
        "operand {}, {}: {}{}", k, to_string(operand.shape(), false),
        story.operand(k, 0), operand.element_count() > 1 ? ", ..." : ""));
  }
  story.say(fmt::format("gives {} (the formula: assay spec {})",
                        value_text(point.result()), name));
}

struct Rule {
  std::string_view name;
  void (*explain)(Story&);
};

constexpr auto kRules = std::to_array<Rule>({
    {"add-dependency", explain_same},
    {"batch-norm-grad", explain_batch_norm},
    {"batch-norm-inference", explain_batch_norm},
    {"batch-norm-training", explain_batch_norm},
    {"bitcast", explain_bits},
    {"bitcast-convert", explain_bits},
    {"cholesky", explain_cholesky},
    {"constant", explain_constant},
    {"copy", explain_same},
    {"domain", explain_same},
    {"dynamic-reshape", explain_bits},
    {"fft", explain_fft},
    {"get-dimension-size", explain_size},
    {"get-tuple-element", explain_tuple_element},
    {"iota", explain_iota},
    {"map", explain_map},
    {"opt-barrier", explain_same},
    {"parameter", explain_parameter},
    {"ragged-dot", explain_ragged},
    {"rng-bit-generator", explain_words},
    {"scaled-dot", explain_scaled},
    {"set-dimension-size", explain_same},
    {"sort", explain_sort},
    {"topk", explain_topk},
    {"triangular-solve", explain_triangular_solve},
    {"tuple", explain_tuple},
});

}  // namespace

void explain_eval(Story& story) {
  const auto* const rule = std::ranges::find(
      kRules, story.point().instruction().op->name, &Rule::name);
  if (rule == kRules.end()) return explain_by_statement(story);
  rule->explain(story);
}

}  // namespace hlo::conformance
