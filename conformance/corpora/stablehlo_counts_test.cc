#include <fmt/format.h>
#include <gtest/gtest.h>

#include <exception>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/case/case_files.h"
#include "interpreter/error.h"
#include "interpreter/stablehlo/import/import.h"
#include "interpreter/stablehlo/read/parse.h"
#include "interpreter/verify/verify.h"

// An operation that has an operand, a region or a result more than it takes, or
// an operand less, is refused by a rule. Whatever else happens is a count that
// nothing checks: what is ignored is a program that means something else.

namespace hlo::conformance {
namespace {

using stablehlo::Block;
using stablehlo::Operation;
using stablehlo::Program;

bool is_accepted(const Program& program) {
  try {
    Module module = stablehlo::import_program(program);
    verify(module);
    return true;
  } catch (const Error& error) {
    EXPECT_NE(error.rule(), "");
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
  return false;
}

void visit(Block& block, const std::function<void(Operation&)>& take) {
  for (const auto& operation : block.operations) {
    take(*operation);
    for (const auto& region : operation->regions) visit(*region, take);
  }
}

using Names = std::set<std::string_view>;

const Names kOfAnyOperands = {"stablehlo.after_all", "stablehlo.custom_call",
                              "stablehlo.tuple"};
const Names kOfAnyResults = {"stablehlo.custom_call", "stablehlo.infeed",
                             "stablehlo.recv"};

class Counts {
 public:
  explicit Counts(Program& program) : program_(program) {}

  void try_operation(Operation& operation) {
    if (!is_imported(operation)) return;
    ++count_;
    add_region(operation);
    if (operation.name.ends_with("return")) return;
    if (!operation.results.empty() && !kOfAnyResults.contains(operation.name)) {
      add_result(operation);
    }
    if (operation.operands.empty() || kOfAnyOperands.contains(operation.name)) {
      return;
    }
    operation.operands.push_back(operation.operands.back());
    refuse(operation, "an operand more");
    operation.operands.pop_back();
    stablehlo::Value* const last = operation.operands.back();
    operation.operands.pop_back();
    refuse(operation, "an operand less");
    operation.operands.push_back(last);
  }

  int64_t count() const { return count_; }

 private:
  /// Not in a function that nothing calls.
  bool is_imported(Operation& operation) {
    const std::string name = std::exchange(operation.name, "no.operation");
    const bool is_ignored = is_accepted(program_);
    operation.name = name;
    return !is_ignored;
  }

  void add_region(Operation& operation) {
    auto region = std::make_unique<Block>();
    region->parent = &operation;
    operation.regions.push_back(std::move(region));
    refuse(operation, "a region more");
    operation.regions.pop_back();
  }

  void add_result(Operation& operation) {
    auto result = std::make_unique<stablehlo::Value>(*operation.results.back());
    ++result->index;
    operation.results.push_back(std::move(result));
    refuse(operation, "a result more");
    operation.results.pop_back();
  }

  void refuse(const Operation& operation, std::string_view what) {
    SCOPED_TRACE(operation.name + ": " + std::string(what));
    EXPECT_FALSE(is_accepted(program_));
  }

  Program& program_;
  int64_t count_ = 0;
};

TEST(StablehloCounts, AreThoseOfEachOperation) {
  const std::string folder = ASSAY_SOURCE_DIR "/conformance/vectors/";
  int64_t count = 0;
  for (const Case& c : load_cases(folder + "stablehlo.jsonl")) {
    if (c.stablehlo.empty()) continue;
    std::vector<Program> programs;
    try {
      programs = stablehlo::parse(c.stablehlo);
    } catch (const Error&) {
      continue;  // it is to be refused
    }
    for (Program& program : programs) {
      if (!is_accepted(program)) continue;
      Counts counts(program);
      for (const auto& function : program.functions) {
        visit(function->body, [&](Operation& one) {
          SCOPED_TRACE(c.id);
          counts.try_operation(one);
        });
      }
      count += counts.count();
    }
  }
  fmt::print("{} operations\n", count);
  EXPECT_GT(count, 1000);
}

}  // namespace
}  // namespace hlo::conformance
