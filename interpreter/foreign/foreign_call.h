#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "interpreter/rules/op.h"

// custom-call to a function that is not the specification's
// (spec/ops/custom_call.md, Foreign functions).

namespace hlo {

/// Whether the instruction is a custom-call whose target has no meaning in the
/// specification.
bool is_foreign_call(const Instruction& instruction);
/// Calls the function that the evaluation has under the name of the target.
/// Evaluate error "custom-call.target" where there is none, or where no
/// function can take the call.
Literal call_foreign(const Instruction& custom_call, Operands operands,
                     const Evaluator& evaluator);

/// The shapes of a call's operands and result as its function sees them: each
/// array with the layout of its bytes, or without one, row by row.
struct CallShapes {
  std::vector<Shape> operands;
  Shape result;
};

/// Those of a call, with the errors of call_foreign().
CallShapes call_shapes(const Instruction& custom_call,
                       const Evaluator& evaluator);

/// A value as a function sees it.
struct CallMemory {
  Shape shape;                            // as in CallShapes
  std::shared_ptr<std::byte> bytes = {};  // of an array
  std::vector<CallMemory> elements = {};  // of a tuple
  std::vector<void*> pointers = {};       // to the elements, in a call
};

/// Calls the function on operands that it may write to, and on memory for the
/// result; parts of that which share a buffer with an operand's have its bytes
/// afterwards. Errors as call_foreign().
void call_foreign_on(const Instruction& custom_call,
                     std::vector<CallMemory>& operands, CallMemory& result,
                     const Evaluator& evaluator);

}  // namespace hlo
