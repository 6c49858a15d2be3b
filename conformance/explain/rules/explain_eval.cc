#include "conformance/explain/rules/explain_eval.h"

#include <fmt/format.h>

#include "conformance/explain/recording/element.h"
#include "conformance/explain/recording/find_origins.h"
#include "conformance/explain/rules/explain_linear.h"
#include "conformance/explain/rules/explain_parameter.h"
#include "conformance/explain/rules/explain_random_numbers.h"
#include "conformance/explain/story/explain_joined.h"
#include "conformance/explain/story/explain_shared.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/callee.h"
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

/// Elements whose bits make the result's, found by changing bits. Of tuples
/// the array at one place is that at the same place of operand 0.
std::vector<Origin> probed_origins(const Point& point) {
  constexpr size_t kMost = 64;
  Instruction operand;
  operand.shape =
      part_of(point.instruction().operand_shape(0), point.tuple_index);
  Instruction part;
  part.op = point.instruction().op;
  part.shape = part_of(point.instruction().shape, point.tuple_index);
  part.attributes = point.instruction().attributes;
  part.operands = point.instruction().operands;
  part.operands[0] = &operand;
  std::vector<Literal> operands = point.run.operands;
  operands[0] = part_of(point.run.operands[0], point.tuple_index);
  const auto result = [&](const std::vector<Literal>& arrays) {
    Evaluator evaluator(kReference);
    return evaluate_instruction(part, arrays, evaluator).at(point.position);
  };
  return find_origins(operands, {0}, kMost, result);
}

/// The elements of operand 0 that the result's is made of, where the operation
/// moves nothing but these.
void explain_bits(Story& story) {
  const Point& point = story.point();
  const Literal& operand = part_of(point.run.operands[0], point.tuple_index);
  const std::vector<Origin> origins = probed_origins(point);
  if (origins.empty()) {
    return story.copy_of(Scalar{point.array.type(), {}},
                         "a zero: the operand has no element for it");
  }
  const bool same = origins.size() == 1 && operand.type() == point.array.type();
  if (same) return story.copy(0, origins[0].position, point.tuple_index);
  story.say(origins.size() == 1 ? "bits of this element:"
                                : "the bits of these elements, the first one's "
                                  "being the lowest:");
  for (const Origin& origin : origins) {
    story.say("  " + story.operand(0, origin.position, point.tuple_index));
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
    arguments.push_back(point.run.operands[k].at(point.position));
  }
  arguments = as_parameters(region, std::move(arguments));
  for (const Scalar& argument : arguments) {
    texts += (texts.empty() ? "" : ", ") + text::print(argument);
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

/// Elements of operand k are those of array k of the result; an array behind
/// them has their places.
void explain_ordered(Story& story) {
  const Point& point = story.point();
  const Instruction& sort = point.instruction();
  const std::vector<Literal>& operands = point.run.operands;
  const Shape& line = operands[0].shape();
  const int64_t d = sort.op->takes("dimensions")
                        ? sort.get<Ints>("dimensions")[0]
                        : line.rank() - 1;
  const bool several = !point.tuple_index.empty();
  const size_t k = several ? static_cast<size_t>(point.tuple_index[0]) : 0;
  std::vector<Literal> results = several
                                     ? point.run.result.elements()
                                     : std::vector<Literal>{point.run.result};
  results.resize(operands.size());
  const Index before = place_before(point, d, operands, results);
  const auto at = static_cast<size_t>(d);
  for (const Computation* comparator : called_by(sort)) {
    story.say(
        fmt::format("%{} orders the elements of each line", comparator->name));
  }
  story.say_words();
  story.say(fmt::format(
      "in the order of the {} along dimension {} the one at {} is number {}",
      line.dims[at], d, before[at], point.index[at]));
  const int64_t position = linearize(before, line.dims);
  if (k < operands.size()) return story.copy(k, position);
  story.say("the place of " + story.operand(0, position) + ": " +
            value_text(point.result()));
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

using Explain = void (*)(Story&);

/// The story of an operation of that form; null where it has none.
Explain story_of(Form form) {
  switch (form) {
    case Form::kIdentity:
      return explain_same;
    case Form::kConstant:
      return explain_constant;
    case Form::kParameter:
      return explain_parameter;
    case Form::kTuple:
      return explain_tuple;
    case Form::kElement:
      return explain_tuple_element;
    case Form::kMap:
      return explain_map;
    case Form::kForeign:
      return explain_custom_call;
    default:
      return nullptr;
  }
}

Explain story_of(Randomness randomness) {
  switch (randomness) {
    case Randomness::kNumbers:
      return explain_rng;
    case Randomness::kState:
      return explain_random_state;
    case Randomness::kBits:
      return explain_random_bits;
    default:
      return nullptr;
  }
}

/// By the number that its results are roundings of, or their order.
Explain story_of(const Op& op) {
  switch (op.accuracy.kind) {
    case Accuracy::Kind::kFactored:
      return explain_cholesky;
    case Accuracy::Kind::kSolved:
      return explain_triangular_solve;
    case Accuracy::Kind::kNormalized:
      return op.takes("feature_index") ? explain_normalized : nullptr;
    case Accuracy::Kind::kTransform:
      return op.takes("fft_length") ? explain_fft : nullptr;
    case Accuracy::Kind::kOrdered:
      return explain_ordered;
    default:
      return nullptr;
  }
}

}  // namespace

void explain_eval(Story& story) {
  const Op& op = *story.point().instruction().op;
  for (const Explain explain :
       {story_of(op.form), story_of(op.randomness), story_of(op)}) {
    if (explain != nullptr) return explain(story);
  }
  if (explain_shared(story, story.point().run)) return;
  if (op.moving.operands == 1) return explain_bits(story);
  story.say_page();
}

}  // namespace hlo::conformance
