#include "conformance/certify/testing/machine.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "backends/backend.h"
#include "conformance/certify/testing/adder.h"
#include "conformance/levels/level.h"
#include "conformance/sets/admitted.h"
#include "conformance/sets/element_rule.h"
#include "interpreter/evaluate.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/special/mpfr_functions.h"
#include "interpreter/rules/dimensions/updates_rule.h"
#include "interpreter/rules/known_reducer.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;
using Function = Machine::Function;
using Fault = Machine::Fault;

double value_at(const Literal& literal, int64_t i) {
  return numeric::decode(literal.at(i).bits[0],
                         numeric::format(literal.type()));
}

class Simulation {
 public:
  Simulation(const Machine& machine, uint64_t seed)
      : machine_(machine), random_(seed) {}

  Literal value(const Instruction& instruction, std::vector<Literal> operands) {
    const Op& op = *instruction.op;
    // Elements without updates keep their bits.
    const bool computes = !keeps_bits(instruction) && op.source == nullptr &&
                          op.updates == nullptr;
    if (machine_.daz && computes) {
      for (Literal& operand : operands) operand = flushed(operand);
    }
    Literal result = raw(instruction, operands);
    return machine_.ftz && computes ? flushed(result) : result;
  }

 private:
  Literal raw(const Instruction& instruction,
              const std::vector<Literal>& operands) {
    const Op& op = *instruction.op;
    const bool floats = is_float(instruction.shape.element_type);
    if (op.cells != nullptr && floats) {
      const Reducer reducer =
          recognize(*instruction.get<Computation*>("to_apply"));
      if (reducer == Reducer::kAdd || reducer == Reducer::kMultiply) {
        return folded(reducer, instruction, operands);
      }
    }
    if (op.updates != nullptr && floats) {
      return updated(op.updates(instruction, operands, evaluator_));
    }
    if (op.accuracy.kind == Accuracy::Kind::kSum && floats) {
      return dot(instruction, operands);
    }
    Literal exact = evaluate_instruction(instruction, operands, evaluator_);
    if (op.accuracy.function && is_float(exact.type())) {
      return approximated(instruction, operands[0], exact);
    }
    return exact;
  }

  static Literal flushed(const Literal& literal) {
    if (!literal.shape().is_array() || !is_float(literal.type())) {
      return literal;
    }
    const FloatFormat& format = numeric::format(literal.type());
    Literal all = literal;
    for (int64_t i = 0; i < all.element_count(); ++i) {
      Scalar x = all.at(i);
      if (is_subnormal(x.bits[0], format)) x.bits[0] &= format.sign_mask();
      all.set(i, x);
    }
    return all;
  }

  static void put(Literal& result, int64_t i, double value) {
    const FloatFormat& format = numeric::format(result.type());
    result.set(i, {.type = result.type(),
                   .bits = {numeric::encode(value, format), 0}});
  }

  Literal folded(Reducer reducer, const Instruction& instruction,
                 const std::vector<Literal>& operands) {
    Literal result(instruction.shape);
    for (int64_t i = 0; i < result.element_count(); ++i) {
      Adder adder(machine_, numeric::format(result.type()), random_());
      std::vector<double> terms = {value_at(operands[1], 0)};
      const Index index = delinearize(i, result.shape().dims);
      instruction.op->cells(instruction, index, [&](const Index& cell) {
        terms.push_back(
            value_at(operands[0], linearize(cell, operands[0].shape().dims)));
      });
      if (reducer == Reducer::kMultiply) adder.multiplying();
      put(result, i, adder.sum(terms));
    }
    return result;
  }

  /// Adds the updates of each element.
  Literal updated(const Updates& updates) {
    Literal result = updates.initial[0];
    const std::vector<Update> all = in_order(updates);
    for (int64_t i = 0; i < result.element_count(); ++i) {
      std::vector<double> terms = {value_at(result, i)};
      for (const auto& [target, source] : all) {
        if (target == i) terms.push_back(value_at(updates.sources[0], source));
      }
      if (terms.size() == 1) continue;
      if (machine_.daz) {
        for (double& term : terms) {
          term = flush(term, numeric::format(result.type()));
        }
      }
      Adder adder(machine_, numeric::format(result.type()), random_());
      put(result, i, adder.sum(terms));
    }
    return result;
  }

  Literal dot(const Instruction& instruction,
              const std::vector<Literal>& operands) {
    Literal result(instruction.shape);
    const auto factor = [&](size_t k, const Index& index) {
      return value_at(operands[k], linearize(index, operands[k].shape().dims));
    };
    for (int64_t i = 0; i < result.element_count(); ++i) {
      std::vector<double> a;
      std::vector<double> b;
      const Index index = delinearize(i, instruction.shape.dims);
      instruction.op->terms(instruction, operands, index,
                            [&](const hlo::Term& term) {
                              a.push_back(factor(0, term.lhs));
                              b.push_back(factor(1, term.rhs));
                            });
      Adder adder(machine_, numeric::format(result.type()), random_());
      put(result, i, adder.dot(a, b));
    }
    return result;
  }

  int direction() {
    switch (machine_.function) {
      case Function::kHighest:
        return 1;
      case Function::kLowest:
        return -1;
      case Function::kRandom:
        return static_cast<int>(random_() % 3) - 1;
      case Function::kRounded:
        break;
    }
    return 0;
  }

  /// At the edge of what the level `tight` admits, or beyond it.
  int steps(const Bound& bound, int side) {
    if (machine_.fault == Fault::kOneStepMore) {
      return (bound.faithful ? 1 : bound.steps) + 1;
    }
    const int wanted = direction();
    if (!bound.faithful) return wanted * bound.steps;
    return wanted == side ? side : 0;
  }

  Place limited(Place place, const Limits& range) const {
    if (machine_.fault == Fault::kOneStepMore) return place;
    if (range.least) place = std::max(place, *range.least);
    if (range.greatest) place = std::min(place, *range.greatest);
    return place;
  }

  Literal approximated(const Instruction& instruction, const Literal& operand,
                       const Literal& exact) {
    const ElementType type = exact.type();
    const FloatFormat& format = numeric::format(type);
    const Bound& bound =
        bounds(find_level("tight"), instruction.op->name, type, true).front();
    const Limits range = limits(instruction.op->facts.range, type);
    Literal result = exact;
    for (int64_t i = 0; i < exact.element_count(); ++i) {
      const uint64_t code = exact.at(i).bits[0];
      const double r = numeric::decode(code, format);
      if (!std::isfinite(r) || r == 0) continue;
      const int side = numeric::evaluate(*instruction.op->accuracy.function,
                                         value_at(operand, i), format)
                           .side;
      Place place = limited(place_of(code, type) + steps(bound, side), range);
      place = r > 0 ? std::max<Place>(place, 0)
                    : std::min(place, zero_place(true, type));
      place = std::clamp(place, least_place(type), greatest_place(type));
      result.set(i, {.type = type, .bits = {code_at(place, type), 0}});
    }
    return result;
  }

  const Machine& machine_;
  std::mt19937_64 random_;
  Evaluator evaluator_{kReference};
};

}  // namespace

std::vector<Machine> conforming_machines() {
  return {
      {.name = "forward"},
      {.name = "backward", .order = Machine::Order::kBackward},
      {.name = "pairwise", .order = Machine::Order::kPairwise},
      {.name = "4 lanes", .order = Machine::Order::kLanes4},
      {.name = "16 lanes", .order = Machine::Order::kLanes16},
      {.name = "blocks of 32", .order = Machine::Order::kBlocks32},
      {.name = "random tree", .order = Machine::Order::kRandomTree},
      {.name = "by magnitude", .order = Machine::Order::kByMagnitude},
      {.name = "alternating", .order = Machine::Order::kAlternating},
      {.name = "fused", .fma = true},
      {.name = "fused, 16 lanes",
       .order = Machine::Order::kLanes16,
       .fma = true},
      {.name = "f32 sums", .width = Machine::Width::kF32},
      {.name = "f32 sums, 4 lanes",
       .order = Machine::Order::kLanes4,
       .width = Machine::Width::kF32},
      {.name = "f64 sums", .width = Machine::Width::kF64},
      {.name = "f64 sums, alternating",
       .order = Machine::Order::kAlternating,
       .width = Machine::Width::kF64},
      {.name = "high functions", .function = Function::kHighest},
      {.name = "low functions", .function = Function::kLowest},
      {.name = "random functions",
       .order = Machine::Order::kRandomTree,
       .function = Function::kRandom},
      {.name = "high, pairwise, fused",
       .order = Machine::Order::kPairwise,
       .function = Function::kHighest,
       .fma = true},
      {.name = "daz", .daz = true},
      {.name = "ftz", .ftz = true},
      {.name = "daz, ftz, lanes",
       .order = Machine::Order::kLanes16,
       .daz = true,
       .ftz = true},
      {.name = "daz, ftz, low, f32",
       .width = Machine::Width::kF32,
       .function = Function::kLowest,
       .daz = true,
       .ftz = true},
  };
}

std::vector<Machine> faulty_machines() {
  return {{.name = "one step more", .fault = Fault::kOneStepMore},
          {.name = "drops a term", .fault = Fault::kDropsATerm},
          {.name = "sums in bf16", .fault = Fault::kNarrowSums}};
}

std::vector<Literal> simulate(const Machine& machine, const Module& module,
                              const std::vector<Literal>& arguments,
                              uint64_t seed) {
  Simulation simulation(machine, seed);
  std::vector<Literal> values;
  for (const auto& instruction : module.entry->instructions) {
    if (instruction->parameter_number >= 0) {
      values.push_back(
          arguments[static_cast<size_t>(instruction->parameter_number)]);
      continue;
    }
    std::vector<Literal> operands;
    for (const Instruction* operand : instruction->operands) {
      operands.push_back(values[static_cast<size_t>(operand->position)]);
    }
    values.push_back(simulation.value(*instruction, std::move(operands)));
  }
  return array_leaves(
      values[static_cast<size_t>(module.entry->root->position)]);
}

}  // namespace hlo::conformance
