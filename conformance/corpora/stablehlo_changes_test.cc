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

// An operation that has an operand or a result more or less than it takes, or a
// region more, or an attribute of another kind, is refused by a rule.
// Whatever else happens is something that nothing checks: what is ignored is a
// program that means something else.

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

const Names kUnread = {
    "chlo.scan operandSegmentSizes",
    "chlo.scan resultSegmentSizes",
    "func.call callee",                  // of a function that calls the entry
    "sdy.sharding_constraint sharding",  // a text
    "stablehlo.composite composite_attributes",
    "stablehlo.composite decomposition",  // of a function of CHLO
    "stablehlo.gather unit",              // of no operation
    "stablehlo.infeed layout",
};

/// Changes an operation, and puts it back.
class Changes {
 public:
  explicit Changes(Program& program) : program_(program) {}

  /// Not in a function that nothing calls.
  bool is_imported(Operation& operation) {
    const std::string name = std::exchange(operation.name, "no.operation");
    const bool is_ignored = is_accepted(program_);
    operation.name = name;
    return !is_ignored;
  }

  void change_counts(Operation& operation) {
    add_region(operation);
    if (operation.name.ends_with("return")) return;
    if (!operation.results.empty() && !kOfAnyResults.contains(operation.name)) {
      change_results(operation);
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

  void change_attributes(Operation& operation) {
    for (auto& [name, attribute] : operation.attributes) {
      const std::string place = operation.name + " " + name;
      // Attributes of dialects are kept, and calls have what their targets
      // read.
      if (name.find('.') != std::string::npos || kUnread.contains(place) ||
          operation.name == "stablehlo.custom_call") {
        continue;
      }
      const auto value =
          std::exchange(attribute.value, stablehlo::Opaque{"#another.kind"});
      refuse(operation, name);
      attribute.value = value;
    }
  }

 private:
  void add_region(Operation& operation) {
    auto region = std::make_unique<Block>();
    region->parent = &operation;
    operation.regions.push_back(std::move(region));
    refuse(operation, "a region more");
    operation.regions.pop_back();
  }

  void change_results(Operation& operation) {
    auto result = std::make_unique<stablehlo::Value>(*operation.results.back());
    ++result->index;
    operation.results.push_back(std::move(result));
    refuse(operation, "a result more");
    operation.results.pop_back();
    // What uses it is refused, too.
    std::unique_ptr<stablehlo::Value> last =
        std::move(operation.results.back());
    operation.results.pop_back();
    refuse(operation, "a result less");
    operation.results.push_back(std::move(last));
  }

  void refuse(const Operation& operation, std::string_view what) {
    SCOPED_TRACE(operation.name + ": " + std::string(what));
    EXPECT_FALSE(is_accepted(program_));
  }

  Program& program_;
};

/// Each operation of the cases that are valid, in its program; how many.
int64_t change_all(void (Changes::*change)(Operation&)) {
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
      Changes changes(program);
      for (const auto& function : program.functions) {
        visit(function->body, [&](Operation& one) {
          SCOPED_TRACE(c.id);
          if (!changes.is_imported(one)) return;
          (changes.*change)(one);
          ++count;
        });
      }
    }
  }
  return count;
}

TEST(StablehloChanges, OfCountsAreRefused) {
  EXPECT_GT(change_all(&Changes::change_counts), 1000);
}

TEST(StablehloChanges, OfKindsOfAttributesAreRefused) {
  EXPECT_GT(change_all(&Changes::change_attributes), 1000);
}

}  // namespace
}  // namespace hlo::conformance
