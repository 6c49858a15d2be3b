#include "interpreter/sized.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/foreign/targets.h"
#include "interpreter/rules/forms.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

/// Whether the operation says what it makes of arrays that are smaller at run
/// time than their bounds, or can have none.
bool says_what_it_makes(const Op& op) {
  const bool has_no_operands = op.max_operands == 0;
  return op.element != nullptr || op.control != nullptr ||
         op.communicate != nullptr || op.takes_sizes || op.fit != nullptr ||
         has_no_operands;
}

TEST(Sized, EveryOperationSaysWhatItMakesOfSmallerArrays) {
  for (const auto table : {all_ops(), all_functions()}) {
    for (const Op* op : table) EXPECT_TRUE(says_what_it_makes(*op)) << op->name;
  }
}

Literal operand_itself(const Instruction& /*instruction*/, Operands operands,
                       Evaluator& /*evaluator*/) {
  return operands[0];
}

/// One instruction of that operation on two of three elements.
Literal evaluate_sized(const Op& op) {
  Instruction operand;
  operand.op = &op_of(Form::kParameter);
  operand.shape = Shape::array(ElementType::kS32, {3});
  Instruction instruction;
  instruction.op = &op;
  instruction.shape = operand.shape;
  instruction.operands = {&operand};
  Literal value(operand.shape);
  value.set_dynamic_sizes({2});
  Evaluator evaluator(kReference, {});
  return evaluate_instruction(instruction, {&value, 1}, evaluator);
}

TEST(Sized, AnOperationThatSaysNothingRefusesThem) {
  try {
    evaluate_sized({.name = "invented", .value = operand_itself});
    FAIL() << "nothing is refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.phase(), Phase::kEvaluate);
    EXPECT_EQ(error.rule(), "evaluate.sizes");
    EXPECT_EQ(error.message().find("invented "), 0U) << error.message();
  }
}

TEST(Sized, AnOperationThatTakesThemIsGivenThemAsTheyAre) {
  const Op op{.name = "invented", .value = operand_itself, .takes_sizes = true};
  EXPECT_EQ(evaluate_sized(op).dynamic_sizes(), Ints{2});
}

}  // namespace
}  // namespace hlo
