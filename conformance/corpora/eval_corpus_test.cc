#include "conformance/corpora/testing/eval_corpus.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <map>
#include <span>

#include "conformance/corpora/testing/eval_reasons.h"
#include "interpreter/evaluate.h"
#include "interpreter/verify/verify.h"

// Every program of XLA's own tests whose operations can be evaluated: values
// that a test states must hold within its tolerance; values that XLA's
// evaluator computes must be ours bit for bit, or differ for one of the reasons
// in kReasons.

namespace hlo::conformance {
namespace {

struct Tolerance {
  double absolute = 0;
  double relative = 0;
  bool relaxed_nans = false;
  int64_t steps = -1;
};

Tolerance tolerance_of(const Json& json) {
  if (!json.is_object()) return {};
  return {json["abs"].get<double>(), json["rel"].get<double>(),
          json["relaxed_nans"].get<bool>(),
          json["low_precision_within_n"].get<int64_t>()};
}

bool holds(const ComponentDifference& d, const Tolerance& tolerance) {
  if (d.ours == d.other || both_nan(d)) return true;
  if (std::isnan(d.other_value)) return tolerance.relaxed_nans;
  if (d.our_value == d.other_value) return true;
  if (tolerance.steps >= 0 && bits(d.type) <= 8 && is_float(d.type)) {
    return d.steps() <= tolerance.steps;
  }
  const double error = std::abs(d.our_value - d.other_value);
  return error <= tolerance.absolute ||
         error <= tolerance.relative * std::abs(d.other_value);
}

/// Calls visit with each component that differs in its bits.
template <typename Visit>
void for_each_difference(const Literal& ours, const Literal& other,
                         const Facts& facts, const Visit& visit) {
  const ElementType type = component_type(other.type());
  const Index& live = other.dynamic_sizes().empty() ? other.shape().dims
                                                    : other.dynamic_sizes();
  for (int64_t i = 0; i < other.element_count(); ++i) {
    const Index index = delinearize(i, other.shape().dims);
    if (!std::ranges::equal(index, live, std::ranges::less{})) continue;
    const Scalar a = ours.at(i);
    const Scalar b = other.at(i);
    for (size_t c = 0; c < 2; ++c) {
      if (a.bits[c] == b.bits[c]) continue;
      visit(ComponentDifference{type, a.bits[c], b.bits[c],
                                value_of(a.bits[c], type),
                                value_of(b.bits[c], type), &facts});
    }
  }
}

struct Counts {
  int64_t run = 0;
  int64_t exact = 0;
  int64_t within_tolerance = 0;
  std::map<std::string_view, int64_t> explained;
  std::vector<std::string> unexplained;
  std::map<std::string, int64_t> skipped;
  std::vector<std::string> unreadable;

  void print() const;
};

void Counts::print() const {
  std::cout << "run " << run << ", exact " << exact << ", within tolerance "
            << within_tolerance << ", unexplained " << unexplained.size()
            << "\n";
  for (const auto& [reason, n] : explained) {
    std::cout << "  explained: " << reason << ": " << n << "\n";
  }
  std::cout << "skipped for lack of\n";
  for (const auto& [op, n] : skipped)
    std::cout << "  " << op << ": " << n << "\n";
  for (const auto& what : unreadable) std::cout << what << "\n";
  for (const auto& what : unexplained) std::cout << what << "\n";
}

std::string describe(const std::string& name, const ComponentDifference& d) {
  std::ostringstream text;
  text << name << ": " << hlo::name(d.type) << std::hex << " ours " << d.ours
       << ", theirs " << d.other << std::dec << " (" << d.our_value << ", "
       << d.other_value << ")";
  return text.str();
}

/// What came of one case.
struct Verdict {
  std::string failure;  // the first difference that nothing allows
  std::string_view reason;
  bool exact = true;
};

/// Whether a size is given that the dimension cannot have.
bool has_no_such_size(const Literal& literal) {
  return std::ranges::any_of(literal.dynamic_sizes(),
                             [](int64_t size) { return size < 0; });
}

bool same_shapes(const std::vector<const Literal*>& a,
                 const std::vector<const Literal*>& b) {
  return std::ranges::equal(a, b, [](const Literal* x, const Literal* y) {
    return compatible(x->shape(), y->shape(), /*ignore_dynamic=*/true) &&
           (x->dynamic_sizes() == y->dynamic_sizes() || has_no_such_size(*y));
  });
}

void judge(const Json& row, const Literal& result, const Literal& other,
           bool stated, const Facts& facts, Verdict& verdict) {
  const std::string name = row["name"];
  const auto ours = leaves(result);
  const auto theirs = leaves(other);
  if (!same_shapes(ours, theirs)) {
    verdict.failure = name + ": shape " + to_string(result.shape()) + " for " +
                      to_string(other.shape());
    return;
  }
  const Tolerance tolerance = tolerance_of(row["tolerance"]);
  for (size_t i = 0; i < ours.size(); ++i) {
    if (!ours[i]->shape().is_array()) continue;
    for_each_difference(
        *ours[i], *theirs[i], facts, [&](const ComponentDifference& d) {
          verdict.exact = false;
          if (stated && holds(d, tolerance)) return;
          const std::span<const Reason> reasons =
              stated ? std::span<const Reason>(kStatedReasons) : kReasons;
          const auto reason = std::ranges::find_if(
              reasons, [&](const Reason& r) { return r.explains(d); });
          if (reason != reasons.end()) {
            verdict.reason = reason->name;
          } else if (verdict.failure.empty()) {
            verdict.failure = describe(name, d);
          }
        });
  }
}

double largest(const Literal& literal) {
  double scale = 0;
  const ElementType type = component_type(literal.type());
  if (!is_float(type)) return 0;
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    for (const uint64_t bits : literal.at(i).bits) {
      const double value = std::abs(value_of(bits, type));
      if (std::isfinite(value)) scale = std::max(scale, value);
    }
  }
  return scale;
}

bool mixes_floats(const Instruction& instruction) {
  std::set<ElementType> types;
  for (const Instruction* operand : instruction.operands) {
    if (is_float(operand->shape.element_type)) {
      types.insert(operand->shape.element_type);
    }
  }
  return types.size() > 1;
}

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// About how many roundings in sequence a sum takes: one where it is made in
/// double, one for each term of a product of matrices.
int64_t terms(const Instruction& sum) {
  if (!contains(kProducts, sum.op->name)) return 1;
  const auto count = [](const Shape& shape) {
    return static_cast<double>(std::max<int64_t>(1, shape.element_count()));
  };
  return 1 + std::llround(std::sqrt(count(sum.operand_shape(0)) *
                                    count(sum.operand_shape(1)) /
                                    count(sum.shape)));
}

void observe(const Instruction& instruction, const Literal& value,
             Facts& facts) {
  const std::string_view op = instruction.op->name;
  facts.operations.insert(op);
  facts.types.insert(instruction.shape.element_type);
  facts.mixes_floats |= mixes_floats(instruction);
  const auto& layout = instruction.shape.layout;
  facts.permutes |=
      layout && *layout != default_layout(instruction.shape.rank());
  facts.computes |= !instruction.op->accuracy.moves_data;
  if (contains(kFunctions, op) || contains(kComplexFunctions, op)) {
    ++facts.roundings;
  }
  constexpr int64_t kRoundingsOfExpanded = 16;
  if (contains(kExpanded, op)) facts.roundings += kRoundingsOfExpanded;
  if (contains(kSums, op)) facts.roundings += terms(instruction);
  if (value.shape().is_array()) {
    facts.scale = std::max(facts.scale, largest(value));
  }
}

Literal evaluate_row(const Json& row, const Module& module, Facts& facts) {
  std::vector<Literal> inputs;
  for (const Json& input : row["inputs"]) inputs.push_back(literal_of(input));
  const auto observer = [&](const Instruction& instruction, Operands,
                            const Literal& value) {
    observe(instruction, value, facts);
  };
  return evaluate(module, std::move(inputs), {.observer = observer});
}

void count(const Verdict& verdict, bool stated, Counts& counts) {
  if (!verdict.failure.empty()) {
    counts.unexplained.push_back((stated ? "stated " : "evaluator ") +
                                 verdict.failure);
  } else if (verdict.exact) {
    ++counts.exact;
  } else if (!verdict.reason.empty()) {
    ++counts.explained[verdict.reason];
  } else {
    ++counts.within_tolerance;
  }
}

bool must_fail(const Json& row) {
  return row["expected"].is_string() && row["expected"] == "error";
}

void run_row(const Json& row, Counts& counts) {
  Module module = text::parse(row["hlo"].get<std::string>());
  const Operations found = operations(module);
  for (const auto op : found.missing) ++counts.skipped[std::string(op)];
  if (!found.missing.empty()) return;
  verify(module);
  Facts facts;
  const Literal result = evaluate_row(row, module, facts);
  if (must_fail(row)) throw std::runtime_error("the program is not refused");
  const bool stated = row["kind"] == "stated";
  const Json& other = stated ? row["expected"] : row["evaluator_result"];
  Verdict verdict;
  judge(row, result, literal_of(other), stated, facts, verdict);
  ++counts.run;
  count(verdict, stated, counts);
}

/// Whether an operation, or a form of it, is not there yet.
bool is_undefined(const Error& error) {
  return error.rule() == "text.opcode" ||
         error.rule() == "evaluate.undefined" ||
         error.rule() == "convolution.sparsity" ||
         error.rule() == "scaled-dot.types";
}

/// Rows whose text XLA shortened so that it is no longer the program that ran:
/// an asynchronous computation that uses its operand twice.
bool lost_operands(const Json& row) {
  return row["name"] ==
         "hlo.analysis.hlo_dataflow_analysis_test."
         "LateBoundNestedTupleOutputDataflow.3767";
}

void record(const Error& error, const Json& row, Counts& counts) {
  const std::string what = row["name"].get<std::string>() + ": " + error.what();
  if (must_fail(row)) {
    ++counts.run;
    ++counts.exact;
  } else if (is_undefined(error)) {
    ++counts.skipped[error.message().substr(0, error.message().find(" ("))];
  } else if (error.phase() == Phase::kParse || lost_operands(row)) {
    counts.unreadable.push_back(what);
  } else {
    counts.unexplained.push_back(what);
  }
}

// Two async operations that get their operands late, or twice.
constexpr size_t kUnreadable = 2;

TEST(EvalCorpus, ValuesHoldOrDifferForAReason) {
  std::ifstream file(eval_corpus_path());
  if (!file) GTEST_SKIP() << "no " << eval_corpus_path();
  Counts counts;
  for (std::string line; std::getline(file, line);) {
    const Json row = Json::parse(line);
    try {
      run_row(row, counts);
    } catch (const Error& error) {
      record(error, row, counts);
    } catch (const std::exception& error) {
      counts.unexplained.push_back(row["name"].get<std::string>() + ": " +
                                   error.what());
    }
  }
  counts.print();
  EXPECT_TRUE(counts.unexplained.empty());
  EXPECT_LE(counts.unreadable.size(), kUnreadable);
}

}  // namespace
}  // namespace hlo::conformance
