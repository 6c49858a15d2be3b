#include "conformance/explain/rules/explain_eval.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "conformance/explain/recording/element.h"
#include "conformance/explain/recording/find_origins.h"
#include "conformance/explain/rules/explain_contraction.h"
#include "conformance/explain/rules/explain_linear.h"
#include "conformance/explain/rules/explain_parameter.h"
#include "conformance/explain/rules/explain_random_numbers.h"
#include "conformance/explain/story/explain_joined.h"
#include "interpreter/evaluate.h"
#include "interpreter/plans/elementwise/converted.h"
#include "interpreter/rules/devices/parallel_programs.h"
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

/// Where a bitcast-convert has its bits from: elements of the operand lie
/// beside each other where they make one of the result, as several of the
/// result do that one makes.
std::vector<Origin> converted_origins(const Point& point) {
  const int64_t from = point.run.operands[0].element_count();
  const int64_t to = point.array.element_count();
  if (to >= from) return {{0, point.position / (to / from)}};
  std::vector<Origin> origins;
  for (int64_t k = 0; k < from / to; ++k) {
    origins.push_back({0, point.position * (from / to) + k});
  }
  return origins;
}

/// Elements whose bits make the result's, found by changing bits.
std::vector<Origin> probed_origins(const Point& point) {
  constexpr size_t kMost = 64;
  const auto result = [&](const std::vector<Literal>& arrays) {
    Evaluator evaluator(kReference);
    return evaluate_instruction(point.instruction(), arrays, evaluator)
        .at(point.position);
  };
  return find_origins(point.run.operands, {0}, kMost, result);
}

void explain_bits(Story& story) {
  const Point& point = story.point();
  const std::vector<Literal>& operands = point.run.operands;
  const std::vector<Origin> origins =
      point.instruction().op->name == "bitcast-convert"
          ? converted_origins(point)
          : probed_origins(point);
  if (origins.empty()) {
    return story.copy_of(Scalar{point.array.type(), {}},
                         "a zero: the operand has no element for it");
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
    arguments.push_back(converted(argument, type).scalar());
    texts += (k == 0 ? "" : ", ") + text::print(arguments.back());
  }
  const Scalar value = apply_region(region, arguments).at(0);
  story.copy_of(value, fmt::format("%{}({}) = {}", region.name, texts,
                                   value_text(value)));
}

/// Where in the sorted line of its operands the element stood. `results` are
/// the sorted operands: elements that are equal in all of them keep their
/// order, so that the n-th of these is the n-th before, too.
Index place_before(const Point& point, int64_t dimension,
                   const std::vector<Literal>& operands,
                   const std::vector<Literal>& results) {
  const auto d = static_cast<size_t>(dimension);
  const auto same = [&](const Index& before, const Index& after) {
    for (size_t k = 0; k < results.size(); ++k) {
      if (operands[k].at(before) != results[k].at(after)) return false;
    }
    return true;
  };
  int64_t equal = 0;
  Index place = point.index;
  for (place[d] = 0; place[d] < point.index[d]; ++place[d]) {
    bool is_equal = true;
    for (const Literal& result : results) {
      is_equal = is_equal && result.at(place) == result.at(point.index);
    }
    equal += is_equal ? 1 : 0;
  }
  Index before = point.index;
  for (before[d] = 0; before[d] < operands[0].shape().dims[d]; ++before[d]) {
    if (same(before, point.index) && equal-- == 0) break;
  }
  return before;
}

void explain_sort(Story& story) {
  const Point& point = story.point();
  const Instruction& sort = point.instruction();
  const bool several = !point.tuple_index.empty();
  const size_t k = several ? static_cast<size_t>(point.tuple_index[0]) : 0;
  const int64_t d = sort.get<Ints>("dimensions")[0];
  const std::vector<Literal>& operands = point.run.operands;
  const std::vector<Literal> results =
      several ? point.run.result.elements()
              : std::vector<Literal>{point.run.result};
  const Index before = place_before(point, d, operands, results);
  const auto at = static_cast<size_t>(d);
  story.say(fmt::format("%{} orders the elements of each line",
                        sort.get<Computation*>("to_apply")->name));
  story.say(fmt::format(
      "in the order of the {} along dimension {} the one at {} is number {}",
      operands[k].shape().dims[at], d, before[at], point.index[at]));
  story.copy(k, linearize(before, operands[k].shape().dims));
}

void explain_topk(Story& story) {
  const Point& point = story.point();
  const Literal& operand = point.run.operands[0];
  const auto last = static_cast<size_t>(operand.shape().rank() - 1);
  story.say(point.instruction().get_or("largest", true)
                ? "the largest elements of each line, from the largest"
                : "the smallest elements of each line, from the smallest");
  const Literal& places = point.run.result.elements()[1];
  Index from = point.index;
  from[last] = places.integer(point.position);
  const int64_t position = linearize(from, operand.shape().dims);
  const std::string place = fmt::format("number {} of them is the one at {}",
                                        point.index[last], from[last]);
  if (point.tuple_index == Ints{0}) {
    story.say(place);
    return story.copy(0, position);
  }
  story.say(fmt::format("{}: {}", place, story.operand(0, position)));
  story.say("its place: " + value_text(point.result()));
}

void explain_size(Story& story) {
  const Point& point = story.point();
  const int64_t d = point.instruction().get<Ints>("dimensions")[0];
  story.say(fmt::format("the size of dimension {} of %{} at run time: {}", d,
                        point.instruction().operands[0]->name,
                        value_text(point.result())));
}

// ------------------------------------------------------------- custom-calls

/// Explains the result of a program that runs on a device of its own.
void explain_program_result(Story& story) {
  const Point& point = story.point();
  const ProgramResult from =
      program_result(point.instruction(), point.tuple_index);
  story.say(fmt::format(
      "what %{}/{} is on replica {}, partition {}, as --device {},{} explains: "
      "{}",
      from.program->name,
      element_name(*from.program->root, from.tuple_index, point.index)
          .substr(1),
      from.device.replica, from.device.partition, from.device.replica,
      from.device.partition, value_text(point.result())));
}

/// What a custom-call does by spec/ops/custom_call.md, or else its function.
void explain_custom_call(Story& story) {
  const Point& point = story.point();
  const auto& target =
      point.instruction().get<std::string>("custom_call_target");
  const std::vector<Literal>& operands = point.run.operands;
  if (is_run_parallel(point.instruction())) {
    return explain_program_result(story);
  }
  if (operands.size() == 1 && point.tuple_index.empty() &&
      operands[0].shape().is_array() &&
      identical(operands[0].with_shape(point.array.shape()), point.array)) {
    story.say("\"" + target + "\" gives what it is given");
    return story.copy(0, point.position);
  }
  story.say("what the function \"" + target + "\" makes of the operands");
  story.first_operands();
  story.say("gives " + value_text(point.result()));
}

/// An operation of which no more is known than its page says.
void explain_by_page(Story& story) {
  story.first_operands();
  story.say(fmt::format("gives {} (the formula: assay spec {})",
                        value_text(story.point().result()),
                        story.point().instruction().op->name));
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
    {"custom-call", explain_custom_call},
    {"domain", explain_same},
    {"dynamic-reshape", explain_bits},
    {"fft", explain_fft},
    {"get-dimension-size", explain_size},
    {"get-tuple-element", explain_tuple_element},
    {"iota", explain_iota},
    {"map", explain_map},
    {"opt-barrier", explain_same},
    {"parameter", explain_parameter},
    {"rng", explain_rng},
    {"rng-bit-generator", explain_random_bits},
    {"rng-get-and-update-state", explain_random_state},
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
  if (rule == kRules.end()) return explain_by_page(story);
  rule->explain(story);
}

}  // namespace hlo::conformance
