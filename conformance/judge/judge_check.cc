#include "conformance/judge/judge_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "conformance/expect/expect.h"
#include "conformance/judge/judge.h"
#include "conformance/literals/differences.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/sets/value_set.h"
#include "interpreter/counted.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/rules/attributes/declared_check.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

/// How many codes apart two numbers are; both zeros count as one value.
uint64_t steps_between(uint64_t a, uint64_t b, ElementType type) {
  const Place low = std::min(place_of(a, type), place_of(b, type));
  const Place high = std::max(place_of(a, type), place_of(b, type));
  const Place negative_zero = zero_place(/*negative=*/true, type);
  const Place zero = zero_place(/*negative=*/false, type);
  const bool crosses = low <= negative_zero && zero <= high;
  // Unsigned, because the two may lie further apart than an int64_t holds.
  return static_cast<uint64_t>(high) - static_cast<uint64_t>(low) -
         static_cast<uint64_t>(crosses ? zero - negative_zero : 0);
}

bool float_within(uint64_t a, uint64_t b, const CheckTolerance& tolerance,
                  ElementType type) {
  const numeric::FloatFormat& format = numeric::format(type);
  const double x = numeric::decode(a, format);
  const double y = numeric::decode(b, format);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  if (x == y) return tolerance.least_steps == 0;
  if (std::isinf(x) || std::isinf(y)) return false;
  if (std::fabs(x - y) <= tolerance.absolute) return true;
  const uint64_t steps = steps_between(a, b, type);
  return tolerance.least_steps <= steps && steps <= tolerance.steps;
}

bool element_within(const Literal& computed, const Literal& expected, int64_t i,
                    const CheckTolerance& tolerance) {
  const ElementType type = expected.type();
  if (!is_float(type) && !is_complex(type)) {
    const auto distance = static_cast<double>(computed.integer(i)) -
                          static_cast<double>(expected.integer(i));
    return std::fabs(distance) <= tolerance.absolute && tolerance.absolute > 0;
  }
  const Scalar a = computed.at(i);
  const Scalar b = expected.at(i);
  for (int part = 0; part < components(type); ++part) {
    const auto p = static_cast<size_t>(part);
    if (!float_within(a.bits.at(p), b.bits.at(p), tolerance,
                      component_type(type))) {
      return false;
    }
  }
  return true;
}

bool has_checks(const Module& module) {
  return std::ranges::any_of(module.computations, [](const auto& computation) {
    return std::ranges::any_of(computation->instructions, [](const auto& i) {
      return is_declared_check(*i);
    });
  });
}

/// An instruction that has been evaluated and may have several right results.
struct Computed {
  const Instruction* instruction;
  std::vector<Literal> operands;
  Literal result;
};

void remember(const Instruction& instruction, Operands operands,
              const Literal& result, std::vector<Computed>& history) {
  if (instruction.op->accuracy.kind == Accuracy::Kind::kExact) return;
  if (instruction.op->control != nullptr) return;  // its parts are remembered
  if (!result.shape().is_array()) return;
  history.push_back({.instruction = &instruction,
                     .operands = {operands.begin(), operands.end()},
                     .result = result});
}

/// The operation that computed the first operand of a check, if its set has
/// the second one too; else nothing.
std::string admitting_operation(const std::vector<Computed>& history,
                                Operands operands) {
  const auto origin = std::find_if(
      history.rbegin(), history.rend(),
      [&](const Computed& c) { return identical(c.result, operands[0]); });
  if (origin == history.rend()) return "";
  const std::vector<Literal> expected{operands[1]};
  const std::vector<Expectation> sets =
      expect(*origin->instruction, origin->operands, origin->result, &expected);
  const bool admitted = judge(sets, expected).verdict == Verdict::kConforms;
  return admitted ? std::string(origin->instruction->op->name) : "";
}

/// Judges checks as they are met.
class CheckObserver {
 public:
  void operator()(const Instruction& instruction, Operands operands,
                  const Literal& result) {
    if (const auto name = probe_name(instruction)) {
      probes_[*name].push_back(result);
    }
    if (!is_declared_check(instruction)) {
      remember(instruction, operands, result, history_);
      return;
    }
    if (const auto value = probed_value(instruction)) {
      outcomes_.push_back(judge_probe(instruction, operands[0], *value));
      return;
    }
    CheckOutcome outcome = judge_check(instruction, operands);
    if (outcome.verdict == CheckVerdict::kMismatch) {
      outcome.admitted_by = admitting_operation(history_, operands);
    }
    outcomes_.push_back(std::move(outcome));
  }

  std::vector<CheckOutcome> outcomes() && { return std::move(outcomes_); }

 private:
  CheckOutcome judge_probe(const Instruction& check, const Literal& expected,
                           const ProbedValue& value) const {
    const auto met = probes_.find(value.name);
    if (met != probes_.end() && value.iteration < met->second.size()) {
      const Literal& computed = met->second[value.iteration];
      if (compatible(computed.shape(), expected.shape())) {
        return judge_check(check, std::vector<Literal>{computed, expected});
      }
    }
    return {.target = check.get<std::string>("custom_call_target"),
            .location = check.location,
            .verdict = CheckVerdict::kMismatch,
            .shape = expected.shape(),
            .missing = value.name,
            .first = std::nullopt};
  }

  std::vector<Computed> history_;
  std::map<std::string, std::vector<Literal>> probes_;
  std::vector<CheckOutcome> outcomes_;
};

std::string count_text(const CheckOutcome& outcome) {
  const int64_t n = outcome.shape.element_count();
  const int64_t count = outcome.verdict == CheckVerdict::kMismatch
                            ? outcome.mismatching
                            : outcome.differing;
  if (n == 1 && count == 1) return "the element differs";
  return fmt::format("{} of {} {}", count, counted(n, "element"),
                     count == 1 ? "differs" : "differ");
}

std::string with_bits(const Scalar& value) {
  return fmt::format("{} ({})", text::print(value), print_bits(value));
}

}  // namespace

CheckOutcome judge_check(const Instruction& check, Operands operands) {
  const CheckTolerance tolerance = tolerance_of(check);
  const Literal& computed = operands[0];
  const Literal& expected = operands[1];
  CheckOutcome outcome{.target = check.get<std::string>("custom_call_target"),
                       .location = check.location,
                       .shape = expected.shape(),
                       .first = std::nullopt};
  // Where a difference is asked for, equal elements are wrong too.
  const Literal* others = tolerance.least_steps > 0 ? nullptr : &computed;
  for_each_difference(expected, others, [&](int64_t i) {
    outcome.differing += computed.at(i) == expected.at(i) ? 0 : 1;
    const bool within = element_within(computed, expected, i, tolerance);
    const bool is_first =
        within ? outcome.differing == 1 : ++outcome.mismatching == 1;
    if (is_first) {
      outcome.first = {.position = i,
                       .computed = computed.at(i),
                       .expected = expected.at(i)};
    }
  });
  if (outcome.differing > 0) outcome.verdict = CheckVerdict::kWithin;
  if (outcome.mismatching > 0) outcome.verdict = CheckVerdict::kMismatch;
  return outcome;
}

CheckedRun evaluate_with_checks(const Module& module,
                                std::vector<std::vector<Literal>> arguments,
                                EvaluatorOptions options) {
  CheckObserver observer;
  options.observer = nullptr;
  // Without an observer operands are used up in place, which is faster.
  if (has_checks(module)) options.observer = std::ref(observer);
  GridResult run = evaluate_devices(module, std::move(arguments), options);
  return {.run = std::move(run), .outcomes = std::move(observer).outcomes()};
}

std::string describe(const CheckOutcome& outcome) {
  if (outcome.verdict == CheckVerdict::kBitEqual) {
    return fmt::format("{}: bit-equal", outcome.target);
  }
  if (!outcome.missing.empty()) {
    return fmt::format(
        "{}: mismatch: the probe \"{}\" has not met that value of this shape",
        outcome.target, outcome.missing);
  }
  const CheckDifference& first = *outcome.first;
  const Index index = delinearize(first.position, outcome.shape.dims);
  return fmt::format(
      "{}: {}: {}, first at [{}]: computed {}, expected {}{}", outcome.target,
      outcome.verdict == CheckVerdict::kWithin ? "within its tolerance"
                                               : "mismatch",
      count_text(outcome), fmt::join(index, ","), with_bits(first.computed),
      with_bits(first.expected),
      outcome.admitted_by.empty()
          ? ""
          : fmt::format(" ({} may return it too)", outcome.admitted_by));
}

}  // namespace hlo::conformance
