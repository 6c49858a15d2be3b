#include "conformance/certify/machine.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "backends/backend.h"
#include "conformance/sets/admitted.h"
#include "conformance/sets/element_rule.h"
#include "conformance/sets/level.h"
#include "interpreter/contraction.h"
#include "interpreter/evaluate.h"
#include "interpreter/fold.h"
#include "interpreter/numeric/float_format.h"
#include "interpreter/numeric/functions.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;
using Order = Machine::Order;
using Width = Machine::Width;
using Function = Machine::Function;
using Fault = Machine::Fault;

double flush(double x, const FloatFormat& format) {
  const double normal = std::ldexp(1.0, format.min_exponent());
  return std::fabs(x) < normal ? std::copysign(0.0, x) : x;
}

/// Adds in one way, rounding each step to one format.
class Adder {
 public:
  Adder(const Machine& machine, const FloatFormat& result, uint64_t seed)
      : machine_(machine),
        format_(accumulator(machine, result)),
        random_(seed) {}

  double round(double x) const {
    const double rounded =
        numeric::decode(numeric::encode(x, format_), format_);
    return machine_.ftz ? flush(rounded, format_) : rounded;
  }

  double plus(double a, double b) const {
    // Exact for f64, and innocuous for formats of at most 24 bits.
    return round(a + b);
  }

  double sum(std::vector<double> terms) {
    if (machine_.fault == Fault::kDropsATerm && terms.size() > 1) {
      terms.pop_back();
    }
    if (terms.empty()) return 0;
    arrange(terms);
    switch (machine_.order) {
      case Order::kPairwise:
        return pairwise(terms, 0, terms.size());
      case Order::kLanes4:
        return lanes(terms, 4);
      case Order::kLanes16:
        return lanes(terms, 16);
      case Order::kBlocks32:
        return blocks(terms, 32);
      case Order::kRandomTree:
        return random_tree(terms);
      default:
        return line(terms, 0, terms.size());
    }
  }

  /// Sums of products, fused or not.
  double dot(const std::vector<double>& a, const std::vector<double>& b) {
    if (machine_.fma) {
      double sum = 0;
      for (size_t k = 0; k < a.size(); ++k) sum = fused(a[k], b[k], sum);
      return sum;
    }
    std::vector<double> terms(a.size());
    for (size_t k = 0; k < a.size(); ++k) terms[k] = round(a[k] * b[k]);
    return sum(std::move(terms));
  }

 private:
  static const FloatFormat& accumulator(const Machine& machine,
                                        const FloatFormat& result) {
    ElementType type = result.type;
    if (machine.width == Width::kF32 && result.precision() < 24) {
      type = ElementType::kF32;
    }
    if (machine.width == Width::kF64) type = ElementType::kF64;
    if (machine.fault == Fault::kNarrowSums) type = ElementType::kBF16;
    return numeric::format(type);
  }

  double fused(double a, double b, double c) const {
    if (format_.type == ElementType::kF32) {
      return round(std::fmaf(static_cast<float>(a), static_cast<float>(b),
                             static_cast<float>(c)));
    }
    return round(std::fma(a, b, c));
  }

  void arrange(std::vector<double>& terms) const {
    const auto smaller = [](double a, double b) {
      return std::fabs(a) < std::fabs(b);
    };
    if (machine_.order == Order::kBackward) std::ranges::reverse(terms);
    if (machine_.order == Order::kByMagnitude) {
      std::ranges::stable_sort(terms, smaller);
    }
    if (machine_.order == Order::kAlternating) {
      std::ranges::stable_sort(terms, smaller);
      std::vector<double> mixed;
      for (size_t k = 0; k < terms.size(); ++k) {
        mixed.push_back(k % 2 == 0 ? terms[terms.size() - 1 - k / 2]
                                   : terms[k / 2]);
      }
      terms = mixed;
    }
  }

  double line(const std::vector<double>& terms, size_t begin,
              size_t end) const {
    double sum = terms[begin];
    for (size_t k = begin + 1; k < end; ++k) sum = plus(sum, terms[k]);
    return sum;
  }

  double pairwise(const std::vector<double>& terms, size_t begin,
                  size_t end) const {
    if (end - begin == 1) return terms[begin];
    const size_t middle = begin + (end - begin) / 2;
    return plus(pairwise(terms, begin, middle), pairwise(terms, middle, end));
  }

  double lanes(const std::vector<double>& terms, size_t count) const {
    std::vector<double> sums(count, 0.0);
    for (size_t k = 0; k < terms.size(); ++k) {
      sums[k % count] = plus(sums[k % count], terms[k]);
    }
    return pairwise(sums, 0, count);
  }

  double blocks(const std::vector<double>& terms, size_t size) const {
    double sum = 0;
    for (size_t begin = 0; begin < terms.size(); begin += size) {
      sum = plus(sum, line(terms, begin, std::min(begin + size, terms.size())));
    }
    return sum;
  }

  double random_tree(std::vector<double> terms) {
    while (terms.size() > 1) {
      const auto take = [&] {
        const size_t k = random_() % terms.size();
        std::swap(terms[k], terms.back());
        const double term = terms.back();
        terms.pop_back();
        return term;
      };
      const double a = take();
      const double b = take();
      terms.push_back(plus(a, b));
    }
    return terms[0];
  }

  const Machine& machine_;
  const FloatFormat& format_;
  std::mt19937_64 random_;
};

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
    const bool computes = !keeps_bits(op) && op.movement == nullptr;
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
    if (op.fold != nullptr && is_float(instruction.shape.element_type) &&
        recognize(*op.fold(instruction).reducer) == Reducer::kAdd) {
      return sum(op.fold(instruction), instruction, operands);
    }
    if (op.contraction != nullptr && is_float(instruction.shape.element_type)) {
      return dot(op.contraction(instruction), instruction, operands);
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

  Literal sum(const Fold& fold, const Instruction& instruction,
              const std::vector<Literal>& operands) {
    Literal result(instruction.shape);
    for (int64_t i = 0; i < result.element_count(); ++i) {
      Adder adder(machine_, numeric::format(result.type()), random_());
      std::vector<double> terms = {value_at(operands[1], 0)};
      for_each_cell(fold, i, [&](int64_t cell) {
        terms.push_back(value_at(operands[0], cell));
      });
      put(result, i, adder.sum(terms));
    }
    return result;
  }

  Literal dot(const Contraction& contraction, const Instruction& instruction,
              const std::vector<Literal>& operands) {
    Literal result(instruction.shape);
    const auto depth = static_cast<size_t>(contraction.depth);
    std::vector<int64_t> rows(depth);
    std::vector<int64_t> columns(depth);
    for (int64_t i = 0; i < result.element_count(); ++i) {
      int64_t gmn[3] = {0, 0, 0};
      contraction.locate(i, gmn);
      contraction.lhs(gmn[0], gmn[1], rows.data());
      contraction.rhs(gmn[0], gmn[2], columns.data());
      std::vector<double> a;
      std::vector<double> b;
      for (size_t k = 0; k < depth; ++k) {
        if (rows[k] < 0 || columns[k] < 0) continue;
        a.push_back(value_at(operands[0], rows[k]));
        b.push_back(value_at(operands[1], columns[k]));
      }
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
    const Limits range = limits(instruction.op->name, type);
    Literal result = exact;
    for (int64_t i = 0; i < exact.element_count(); ++i) {
      const uint64_t code = exact.at(i).bits[0];
      const double r = numeric::decode(code, format);
      if (!std::isfinite(r) || r == 0) continue;
      const int side = numeric::evaluate(*instruction.op->accuracy.function,
                                         value_at(operand, i), format)
                           .side;
      Place place = limited(place_of(code, type) + steps(bound, side), range);
      place = r > 0 ? std::max<Place>(place, 0) : std::min<Place>(place, -1);
      place = std::clamp(place, least_place(type), greatest_place(type));
      result.set(i, {.type = type, .bits = {code_at(place, type), 0}});
    }
    return result;
  }

  const Machine& machine_;
  std::mt19937_64 random_;
  Evaluator evaluator_;
};

}  // namespace

std::vector<Machine> conforming_machines() {
  return {
      {.name = "forward"},
      {.name = "backward", .order = Order::kBackward},
      {.name = "pairwise", .order = Order::kPairwise},
      {.name = "4 lanes", .order = Order::kLanes4},
      {.name = "16 lanes", .order = Order::kLanes16},
      {.name = "blocks of 32", .order = Order::kBlocks32},
      {.name = "random tree", .order = Order::kRandomTree},
      {.name = "by magnitude", .order = Order::kByMagnitude},
      {.name = "alternating", .order = Order::kAlternating},
      {.name = "fused", .fma = true},
      {.name = "fused, 16 lanes", .order = Order::kLanes16, .fma = true},
      {.name = "f32 sums", .width = Width::kF32},
      {.name = "f32 sums, 4 lanes",
       .order = Order::kLanes4,
       .width = Width::kF32},
      {.name = "f64 sums", .width = Width::kF64},
      {.name = "f64 sums, alternating",
       .order = Order::kAlternating,
       .width = Width::kF64},
      {.name = "high functions", .function = Function::kHighest},
      {.name = "low functions", .function = Function::kLowest},
      {.name = "random functions",
       .order = Order::kRandomTree,
       .function = Function::kRandom},
      {.name = "high, pairwise, fused",
       .order = Order::kPairwise,
       .function = Function::kHighest,
       .fma = true},
      {.name = "daz", .daz = true},
      {.name = "ftz", .ftz = true},
      {.name = "daz, ftz, lanes",
       .order = Order::kLanes16,
       .daz = true,
       .ftz = true},
      {.name = "daz, ftz, low, f32",
       .width = Width::kF32,
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
