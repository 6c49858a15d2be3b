#include "interpreter/fold.h"

#include "interpreter/error.h"

namespace hlo {

Literal apply(const Fold&, const Instruction&, Operands, Evaluator&) {
  throw Error(Phase::kEvaluate, "evaluate.undefined", "no folds yet");
}

}  // namespace hlo
