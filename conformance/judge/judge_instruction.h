#pragma once

#include <vector>

#include "conformance/judge/judge.h"
#include "conformance/levels/profile.h"
#include "interpreter/model/module.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// Whether `assay compare` judges what an instruction returns. Not where it
/// only moves values about or runs other instructions, which are judged
/// themselves; what a foreign function returns is for nobody to judge.
bool is_compared(const Instruction& instruction);

/// The array leaves that the module of this instruction alone takes, which is
/// made for these operands (extract_sized).
std::vector<Literal> arguments_of_one(const Instruction& instruction,
                                      Operands operands);

/// Judges what a backend made of the module of one instruction, of which the
/// reference's operands and result are given.
Judgement judge_instruction(const Instruction& instruction, Operands operands,
                            const Literal& reference,
                            const Observation& observation,
                            const Profile& profile);

}  // namespace hlo::conformance
