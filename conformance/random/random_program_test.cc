#include "conformance/random/random_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "conformance/literals/differences.h"
#include "conformance/random/testing/run_program.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/sizes/sizes.h"
#include "interpreter/sized.h"
#include "interpreter/stablehlo/export/export.h"
#include "interpreter/stablehlo/import/import.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

// By night there are more of them.
uint64_t program_count() {
  const char* count = std::getenv("ASSAY_RANDOM_PROGRAMS");
  return count == nullptr ? 500 : std::strtoull(count, nullptr, 10);
}

// The programs 0, 1, ...; or one only, to look at it.
uint64_t first_seed() {
  const char* seed = std::getenv("ASSAY_RANDOM_SEED");
  return seed == nullptr ? 0 : std::strtoull(seed, nullptr, 10);
}

ProgramRun run(const Module& module, uint64_t seed, int threads,
               const Observer& observer = nullptr,
               PlanSet plans = PlanSet::all()) {
  EvaluatorOptions options;
  options.threads = threads;
  options.observer = observer;
  options.plans = plans;
  return run_program(module, seed, options);
}

// Other bits past the sizes that arrays have at run time: ones, or zeros.
Literal with_padding(const Literal& value, bool ones) {
  if (value.shape().is_tuple()) {
    std::vector<Literal> elements;
    for (const Literal& element : value.elements()) {
      elements.push_back(with_padding(element, ones));
    }
    return Literal::tuple(std::move(elements));
  }
  const Ints& sizes = value.dynamic_sizes();
  if (!value.shape().is_array() || sizes.empty()) return value;
  const uint64_t bits = ones ? ~uint64_t{0} : 0;
  Literal result = value;
  for (int64_t i = 0; i < value.element_count(); ++i) {
    if (!exists(value, i)) result.set(i, {value.type(), {bits, bits}});
  }
  return result;
}

bool has_padding(Operands operands) {
  return std::ranges::any_of(operands, [](const Literal& operand) {
    return std::ranges::any_of(leaves(operand), [](const Literal* leaf) {
      return !leaf->dynamic_sizes().empty();
    });
  });
}

// Whether elements of the operand past its sizes become elements.
bool grows(const Instruction& instruction, Operands operands,
           const Literal& result) {
  return instruction.op->name == "set-dimension-size" &&
         !std::ranges::equal(sizes_of(result), sizes_of(operands[0]),
                             std::less_equal{});
}

// Evaluates what was evaluated again, with other padding: the same result.
void check_padding(const Instruction& instruction, Operands operands,
                   const Literal& result, int64_t& checked) {
  const Op& op = *instruction.op;
  if (op.control != nullptr || op.communicate != nullptr) return;
  if (!has_padding(operands) || grows(instruction, operands, result)) return;
  ++checked;
  for (const bool ones : {false, true}) {
    std::vector<Literal> others;
    for (const Literal& operand : operands) {
      others.push_back(with_padding(operand, ones));
    }
    Evaluator evaluator(kReference);
    const Literal again = evaluate_instruction(instruction, others, evaluator);
    EXPECT_TRUE(identical(cut(result), cut(again)))
        << text::print(instruction) << " depends on what is past its sizes";
  }
}

// What the programs were made of and how they ended.
struct Tally {
  std::map<std::string, int64_t> operations;
  std::set<ElementType> types;
  std::map<std::string, int64_t> errors;
  int64_t exported = 0;
  int64_t padded = 0;  // instructions on arrays with elements past their sizes
};

void count(const Module& module, Tally& tally) {
  for (const auto& instruction : module.entry->instructions) {
    ++tally.operations[std::string(instruction->op->name)];
    tally.types.insert(instruction->shape.element_type);
  }
}

void check_stablehlo(const Module& module, uint64_t seed,
                     const ProgramRun& expected, Tally& tally) {
  std::string text;
  try {
    text = stablehlo::print(module);
  } catch (const Error& error) {
    EXPECT_EQ(error.rule(), "stablehlo.export");
    return;
  }
  Module imported = stablehlo::import_text(text);
  imported.replica_count = module.replica_count;
  imported.num_partitions = module.num_partitions;
  const ProgramRun actual = run(imported, seed, 1);
  // StableHLO has no word for some operations: they are calls of custom ones.
  if (actual.rule == "custom-call.target") return;
  ++tally.exported;
  EXPECT_TRUE(same_bits(expected, actual)) << actual.rule << "\n" << text;
}

void check_program(uint64_t seed, Tally& tally) {
  const std::string source = random_program(seed);
  SCOPED_TRACE(fmt::format("seed {}\n{}", seed, source));
  const Module module = verified_module(source);
  const std::string printed = text::print(module);
  const Module again = verified_module(printed);
  EXPECT_TRUE(equal(module, again));
  EXPECT_EQ(printed, text::print(again));
  EXPECT_GE(module.entry->instructions.size(), 1U);
  EXPECT_LE(module.entry->instructions.size(), size_t{kMostInstructions});
  count(module, tally);
  const ProgramRun one = run(module, seed, 1);
  EXPECT_TRUE(same_bits(one, run(again, seed, 2)));
  EXPECT_TRUE(same_bits(one, run(module, seed, 1, nullptr, PlanSet::none())))
      << "plans and definitions differ";
  if (!one.rule.empty()) {
    ++tally.errors[one.rule];
    // Whether sizes fit is known at run time only.
    EXPECT_EQ(one.rule, "evaluate.sizes") << one.message;
  }
  run(module, seed, 1,
      [&](const Instruction& instruction, Operands operands,
          const Literal& result) {
        check_padding(instruction, operands, result, tally.padded);
      });
  check_stablehlo(module, seed, one, tally);
}

void print(const Tally& tally, uint64_t programs) {
  std::string text = fmt::format(
      "{} programs, {} of them as StableHLO, {} "
      "types, {} instructions on arrays with padding;",
      programs, tally.exported, tally.types.size(), tally.padded);
  for (const auto& [op, n] : tally.operations) {
    text += fmt::format(" {} {},", op, n);
  }
  for (const auto& [rule, n] : tally.errors) {
    text += fmt::format(" error {}: {},", rule, n);
  }
  fmt::print("{}\n", text);
}

TEST(RandomProgram, RunsTheSameHoweverItIsWrittenAndRun) {
  Tally tally;
  const uint64_t first = first_seed();
  const uint64_t n = program_count();
  for (uint64_t seed = first; seed < first + n; ++seed) {
    try {
      check_program(seed, tally);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "seed " << seed << ": " << error.what() << "\n"
                    << random_program(seed);
    }
  }
  print(tally, n);
  if (n < 500) return;
  for (const Op* op : all_ops()) {
    if (!op->is_defined()) continue;
    EXPECT_GT(tally.operations[std::string(op->name)], 0) << op->name;
  }
}

TEST(RandomProgram, IsThatOfItsSeed) {
  EXPECT_EQ(random_program(7), random_program(7));
  EXPECT_NE(random_program(7), random_program(8));
}

}  // namespace
}  // namespace hlo::conformance
