#include "backends/cpu/plan/steps/narrow_lanes.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "backends/cpu/kernels/lanes/run_narrow_ops.h"

namespace hlo::cpu {
namespace {

/// Whether lanes of so many bytes hold numbers of the type as they are.
bool is_held(Stored stored, size_t lane_bytes) {
  const bool is_float = stored == Stored::kBf16 || stored == Stored::kF16;
  return width_of(stored) == lane_bytes && lane_bytes < sizeof(float) &&
         !is_float;
}

bool is_signed(Stored stored) {
  return stored == Stored::kS8 || stored == Stored::kS16;
}

/// The type that an operation wraps numbers to.
std::optional<Stored> wrapped_to(Code code) {
  switch (code) {
    case Code::kWrapS8:
      return Stored::kS8;
    case Code::kWrapU8:
      return Stored::kU8;
    case Code::kWrapS16:
      return Stored::kS16;
    case Code::kWrapU16:
      return Stored::kU16;
    default:
      return std::nullopt;
  }
}

/// The operation on numbers without a sign, where the sign matters.
Code unsigned_code(Code code) {
  switch (code) {
    case Code::kMaximumS32:
      return Code::kMaximumU32;
    case Code::kMinimumS32:
      return Code::kMinimumU32;
    case Code::kLessS32:
      return Code::kLessU32;
    case Code::kLessEqualS32:
      return Code::kLessEqualU32;
    default:
      return code;
  }
}

/// Follows a program's operations, and writes them for narrow lanes. Operands
/// of one type are numbers of it: what makes others is wrapped at once.
class Narrowed {
 public:
  explicit Narrowed(const TileProgram& program)
      : lane_bytes_(width_of(program.result)), signed_(program.registers) {}

  size_t lane_bytes() const { return lane_bytes_; }

  const std::vector<LaneOp>& ops() const { return ops_; }

  bool takes(const TileProgram& program) {
    if (!is_held(program.result, lane_bytes_)) return false;
    for (size_t i = 0; i < program.inputs.size(); ++i) {
      const Stored stored = program.inputs[i].stored;
      if (!is_held(stored, lane_bytes_)) return false;
      signed_[i] = is_signed(stored);
    }
    return std::ranges::all_of(program.ops,
                               [this](const LaneOp& op) { return add(op); });
  }

 private:
  bool add(LaneOp op) {
    if (const std::optional<Stored> type = wrapped_to(op.code)) {
      signed_[op.out] = is_signed(*type);
      return is_held(*type, lane_bytes_);
    }
    if (!is_narrow_op(op.code)) return false;
    const bool is_select = op.code == Code::kSelect;
    const bool of_signed = signed_[op.operands[is_select ? 1 : 0]];
    signed_[op.out] = of_signed;  // of 0 and 1 both are right
    if (!of_signed) op.code = unsigned_code(op.code);
    ops_.push_back(op);
    return true;
  }

  size_t lane_bytes_;
  std::vector<bool> signed_;  // whether each register's numbers have a sign
  std::vector<LaneOp> ops_;
};

}  // namespace

void use_narrow_lanes(TileProgram& program) {
  Narrowed narrowed(program);
  if (!narrowed.takes(program)) return;
  program.ops = narrowed.ops();
  program.lane_bytes = narrowed.lane_bytes();
}

}  // namespace hlo::cpu
