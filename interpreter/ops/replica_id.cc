// spec/ops/replica_id.md
#include "interpreter/devices/communication.h"
#include "interpreter/rules/op.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

Shape infer(const Instruction& /*id*/) {
  return Shape::scalar(ElementType::kU32);
}

Future communicate(const Instruction& /*id*/, Operands /*operands*/,
                   Evaluator& evaluator) {
  const auto id = static_cast<uint64_t>(evaluator.device().replica);
  return at_once(Literal::of({ElementType::kU32, {id, 0}}));
}

constexpr std::string_view kWords[] = {"the replica that runs this"};

}  // namespace

extern constinit const Op op_replica_id{.name = "replica-id",
                                        .infer = infer,
                                        .communicate = communicate,
                                        .words = kWords};

}  // namespace hlo
