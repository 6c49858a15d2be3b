#include "conformance/eval_corpus.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <map>

#include "interpreter/evaluate.h"
#include "interpreter/verify.h"

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

/// What matters of a program and its run for judging a difference.
struct Facts {
  std::set<std::string_view> operations;
  bool mixes_floats = false;  // an operation takes two float types
  bool permutes = false;      // a layout is not row-major
  int64_t roundings = 0;      // sums and functions that were evaluated
  double scale = 0;           // largest finite magnitude of any float value

  bool has(std::initializer_list<std::string_view> names) const {
    return std::ranges::any_of(names, [&](std::string_view name) {
      return operations.contains(name);
    });
  }
};

// Whose results XLA's evaluator takes from the host's libm, or composes.
constexpr std::initializer_list<std::string_view> kFunctions = {
    "acos",  "acosh",        "asin",        "asinh",
    "atan2", "atanh",        "cbrt",        "cosine",
    "cosh",  "erf",          "exponential", "exponential-minus-one",
    "log",   "log-plus-one", "logistic",    "power",
    "rsqrt", "sine",         "sinh",        "tan",
    "tanh",  "divide",       "multiply",    "sqrt",
    "abs",   "sign"};
constexpr std::initializer_list<std::string_view> kSums = {
    "reduce",        "dot",     "convolution",
    "reduce-window", "scatter", "select-and-scatter"};

/// One component of one element, ours and the other's.
struct Difference {
  ElementType type;  // of the component
  uint64_t ours;
  uint64_t other;
  double our_value;
  double other_value;
  const Facts* facts;

  bool is_of_floats() const { return is_float(type); }

  int64_t steps() const {
    const auto& format = numeric::format(type);
    return std::abs(numeric::ordinal(ours, format) -
                    numeric::ordinal(other, format));
  }

  /// Whether as many roundings as the run has account for it: each by up to
  /// two steps, of the result or (where it cancels) of the largest value.
  bool is_rounding() const {
    if (!is_of_floats() || !std::isfinite(our_value) ||
        !std::isfinite(other_value)) {
      return false;
    }
    const auto roundings = static_cast<double>(2 * facts->roundings);
    const double step =
        std::ldexp(facts->scale, -numeric::format(type).precision());
    return static_cast<double>(steps()) <= roundings ||
           std::abs(our_value - other_value) <= roundings * step;
  }
};

double value_of(uint64_t bits, ElementType type) {
  if (is_float(type)) return numeric::decode(bits, numeric::format(type));
  const int shift = 64 - hlo::bits(type);
  return is_signed(type)
             ? static_cast<double>(static_cast<int64_t>(bits << shift) >> shift)
             : static_cast<double>(bits);
}

bool are_nans(const Difference& d) {
  return std::isnan(d.our_value) && std::isnan(d.other_value);
}

bool is_function(const Difference& d) {
  return d.facts->has(kFunctions) && d.is_rounding();
}

bool is_sum(const Difference& d) {
  return d.facts->has(kSums) && d.is_rounding();
}

bool is_saturated(const Difference& d) {
  return d.facts->has({"convolution"}) && is_integer(d.type);
}

bool is_mixed(const Difference& d) { return d.facts->mixes_floats; }

bool is_flushed(const Difference& d) {
  return d.is_of_floats() && d.other_value == 0 && d.our_value != 0 &&
         (d.ours &
          ((uint64_t{1} << numeric::format(d.type).mantissa_bits) - 1)) != 0 &&
         std::abs(d.our_value) <
             std::ldexp(1.0,
                        2 - (1 << (numeric::format(d.type).exponent_bits - 1)));
}

bool is_lost_nan(const Difference& d) {
  return d.facts->has({"convert"}) && d.is_of_floats() &&
         !numeric::format(d.type).has_nan() && d.our_value == 0 &&
         d.other_value == 0;
}

bool is_pred_of_bytes(const Difference& d) {
  return d.facts->has({"bitcast-convert"}) && d.type == ElementType::kPred;
}

bool is_permuted_bytes(const Difference& d) {
  return d.facts->has({"bitcast-convert"}) && d.facts->permutes;
}

/// Why our value may differ from that of XLA's evaluator.
struct Reason {
  std::string_view name;
  bool (*explains)(const Difference&);
};

constexpr Reason kReasons[] = {
    // Any quiet NaN is right where an operation computes.
    {"NaN with other bits", are_nans},
    // Exact sums here; sums in double or in the type there.
    {"sum rounded otherwise", is_sum},
    // Correctly rounded here; the host's libm there.
    {"function of the host", is_function},
    // spec/ops/convolution.md: integers wrap here and saturate there.
    {"saturating integer convolution", is_saturated},
    // It reads the bytes of one float type as those of the other.
    {"mixed float types", is_mixed},
    // Some of its loops run with subnormals switched off.
    {"subnormal flushed to zero", is_flushed},
    // spec/ops/convert.md: NaN becomes a zero of either sign.
    {"NaN in a type without NaN", is_lost_nan},
    // A pred holds 0 or 1; other bytes are out of contract.
    {"pred from other bytes", is_pred_of_bytes},
    // It copies bytes in the order of the layouts, not of the indices.
    {"bitcast-convert between layouts", is_permuted_bytes},
};

bool holds(const Difference& d, const Tolerance& tolerance) {
  if (d.ours == d.other || are_nans(d)) return true;
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
      visit(Difference{type, a.bits[c], b.bits[c], value_of(a.bits[c], type),
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

  void print() const;
};

void Counts::print() const {
  std::cout << "run " << run << ", exact " << exact << ", within tolerance "
            << within_tolerance << ", unexplained " << unexplained.size()
            << "\n";
  for (const auto& [reason, n] : explained) {
    std::cout << "  explained: " << reason << ": " << n << "\n";
  }
  int64_t skips = 0;
  for (const auto& [op, n] : skipped) skips += n;
  std::cout << "skipped " << skips << " for lack of\n";
  for (const auto& [op, n] : skipped)
    std::cout << "  " << op << ": " << n << "\n";
  for (const auto& what : unexplained) std::cout << what << "\n";
}

std::string describe(const std::string& name, const Difference& d) {
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

bool same_shapes(const std::vector<const Literal*>& a,
                 const std::vector<const Literal*>& b) {
  return std::ranges::equal(a, b, [](const Literal* x, const Literal* y) {
    return compatible(x->shape(), y->shape(), /*ignore_dynamic=*/true) &&
           x->dynamic_sizes() == y->dynamic_sizes();
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
    for_each_difference(*ours[i], *theirs[i], facts, [&](const Difference& d) {
      verdict.exact = false;
      if (stated && holds(d, tolerance)) return;
      const auto reason = std::ranges::find_if(
          kReasons, [&](const Reason& r) { return r.explains(d); });
      if (!stated && reason != std::end(kReasons)) {
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

bool contains(std::initializer_list<std::string_view> names,
              std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

void observe(const Instruction& instruction, const Literal& value,
             Facts& facts) {
  const std::string_view op = instruction.op->name;
  facts.operations.insert(op);
  facts.mixes_floats |= mixes_floats(instruction);
  const auto& layout = instruction.shape.layout;
  facts.permutes |=
      layout && *layout != default_layout(instruction.shape.rank());
  if (contains(kSums, op) || contains(kFunctions, op)) ++facts.roundings;
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
  } else if (stated) {
    ++counts.within_tolerance;
  } else {
    ++counts.explained[verdict.reason];
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
  ++counts.run;
  verify(module);
  Facts facts;
  const Literal result = evaluate_row(row, module, facts);
  if (must_fail(row)) throw std::runtime_error("the program is not refused");
  const bool stated = row["kind"] == "stated";
  const Json& other = stated ? row["expected"] : row["evaluator_result"];
  Verdict verdict;
  judge(row, result, literal_of(other), stated, facts, verdict);
  count(verdict, stated, counts);
}

TEST(EvalCorpus, ValuesHoldOrDifferForAReason) {
  std::ifstream file(eval_corpus_path());
  if (!file) GTEST_SKIP() << "no " << eval_corpus_path();
  Counts counts;
  for (std::string line; std::getline(file, line);) {
    const Json row = Json::parse(line);
    try {
      run_row(row, counts);
    } catch (const Error& error) {
      if (must_fail(row)) {
        ++counts.exact;
      } else {
        counts.unexplained.push_back(row["name"].get<std::string>() + ": " +
                                     error.what());
      }
    } catch (const std::exception& error) {
      counts.unexplained.push_back(row["name"].get<std::string>() + ": " +
                                   error.what());
    }
  }
  counts.print();
  EXPECT_TRUE(counts.unexplained.empty());
}

}  // namespace
}  // namespace hlo::conformance
