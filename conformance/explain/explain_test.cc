#include "conformance/explain/explain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "backends/backend.h"
#include "conformance/case/case_files.h"
#include "conformance/case/case_program.h"
#include "conformance/explain/recording/element.h"
#include "conformance/explain/testing/explanation_checks.h"
#include "conformance/literals/inputs.h"
#include "conformance/random/random_program.h"
#include "interpreter/error.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

std::vector<Case> examples() {
  return load_all(case_files({std::string(ASSAY_SOURCE_DIR) + "/spec/ops"}),
                  "*/page/example-*");
}

/// Every n-th case of each vector file, from the first.
std::vector<Case> sampled_vectors(size_t n) {
  const std::string folder =
      std::string(ASSAY_SOURCE_DIR) + "/conformance/vectors";
  std::vector<Case> sample;
  for (const std::string& file : case_files({folder})) {
    const std::vector<Case> cases = load_cases(file);
    for (size_t i = 0; i < cases.size(); i += n) sample.push_back(cases[i]);
  }
  return sample;
}

bool is_rejected(const Case& c) {
  return c.expect.size() == 1 &&
         std::holds_alternative<RejectedSet>(c.expect[0]);
}

/// The first element, and others evenly behind it.
std::set<int64_t> some_positions(const Shape& shape) {
  const int64_t count = shape.element_count();
  if (count == 0) return {};
  constexpr int64_t kMost = 9;
  std::set<int64_t> positions;
  for (int64_t i = 0; i < kMost; ++i) positions.insert(count * i / kMost);
  return positions;
}

/// What must hold of every explanation.
void check(const Explanation& explanation) {
  EXPECT_NE(explanation.text, "");
  check_facts(explanation);
}

/// Explains some elements of every instruction of a case.
class Walk {
 public:
  explicit Walk(const Case& c)
      : case_(c),
        module_(case_module(c)),
        arguments_(device_arguments(module_, c.inputs)) {}

  void run() {
    for (const auto& computation : module_.computations) {
      for (const auto& instruction : computation->instructions) {
        explain_some(*instruction);
      }
    }
  }

  /// The result of the program alone.
  void run_root() { explain_some(*module_.entry->root); }

  const std::set<std::string>& explained() const { return explained_; }

 private:
  void explain_some(const Instruction& instruction) {
    std::vector<Ints> arrays;
    add_arrays(instruction.shape, {}, arrays);
    for (const Ints& list : arrays) {
      const Shape& shape = part_of(instruction.shape, list);
      for (const int64_t position : some_positions(shape)) {
        if (!explain_one(instruction, list,
                         delinearize(position, shape.dims))) {
          return;
        }
      }
    }
  }

  /// False where the instruction does not run on its own.
  bool explain_one(const Instruction& instruction, const Ints& list,
                   const Index& index) {
    const std::string name = full_name(instruction, list, index);
    SCOPED_TRACE(fmt::format("{}:{} {}", case_.file, case_.line, name));
    try {
      check(explain(module_, arguments_, {.element = name, .depth = 2}));
      explained_.insert(std::string(instruction.op->name));
    } catch (const Error& error) {
      // Random programs may take more values than the host has.
      const bool expected =
          error.rule() == "explain.run" || error.rule() == "infeed.empty";
      if (!expected) ADD_FAILURE() << error.what();
      return false;
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
      return false;
    }
    return true;
  }

  const Case& case_;
  Module module_;
  std::vector<std::vector<Literal>> arguments_;
  std::set<std::string> explained_;
};

// Their results are tokens, which have no elements.
const std::set<std::string> kWithoutElements = {"after-all", "outfeed",
                                                "send-done"};

TEST(Explain, TellsOfEveryOperationInTheExamplesOfItsPage) {
  std::set<std::string> explained;
  for (const Case& c : examples()) {
    Walk walk(c);
    walk.run();
    explained.insert(walk.explained().begin(), walk.explained().end());
  }
  for (const Op* op : all_ops()) {
    const std::string name(op->name);
    if (!op->is_defined()) continue;
    EXPECT_NE(explained.contains(name), kWithoutElements.contains(name))
        << name;
  }
}

// Other types and values than the pages have: results at random places.
TEST(Explain, TellsOfResultsOfVectors) {
  constexpr size_t kOneOf = 11;
  for (const Case& c : sampled_vectors(kOneOf)) {
    if (!is_rejected(c)) Walk(c).run_root();
  }
}

// Each instruction of programs over all operations.
TEST(Explain, TellsOfRandomPrograms) {
  constexpr uint64_t kSeeds = 12;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    Case c;
    c.file = "seed";
    c.line = static_cast<int>(seed);
    c.hlo = random_program(seed);
    const Module module = verified_module(c.hlo);
    const std::vector<std::string> inputs = {"random:" + std::to_string(seed)};
    const std::vector<Literal> values = make_inputs(module, inputs);
    c.inputs = array_leaves(values);
    Walk(c).run();
  }
}

/// What is told of the root of "f32[] negate(x)" or another operation.
std::string told(const std::string& header, const std::string& root,
                 std::optional<Device> device) {
  const Module module = verified_module(
      "HloModule m" + header + "\nENTRY e {\nx = f32[] constant(1e-45)\n" +
      "ROOT r = " + root + "\n}\n");
  ExplainRequest request{.element = "%e/r[]"};
  request.device = device;
  return explain(module, {{}}, request).text;
}

// Devices of one list of arguments do the same, and one is run.
TEST(Explain, TellsOfADeviceThatDoesWhatTheFirstDoes) {
  const std::string root = "f32[] negate(x)";
  EXPECT_EQ(told(", replica_count=2", root, Device{.replica = 1}),
            told("", root, std::nullopt));
}

TEST(Explain, SaysThatANumberIsBelowThoseOfATypeWithoutZero) {
  EXPECT_NE(told("", "f8e8m0fnu[] multiply(x, x)", std::nullopt)
                .find("the value is below the numbers of f8e8m0fnu (the least "
                      "is 5.877472e-39 (00))"),
            std::string::npos);
}

TEST(Explain, NamesNoElementThatDoesNotExist) {
  const Module module = verified_module(
      "ENTRY e { x = s32[2,4] constant({{1, 2, 3, 4}, {5, 6, 7, 8}})\n"
      "  n = s32[] constant(0)\n"
      "  d = s32[2,<=4] set-dimension-size(x, n), dimensions={1}\n"
      "  ROOT r = s32[] get-dimension-size(d), dimensions={1} }");
  const std::string text = explain(module, {{}}, {.element = "%e/r[]"}).text;
  EXPECT_NE(text.find("operand 0, s32[2,<=4] of [2,0], has no elements"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace hlo::conformance
