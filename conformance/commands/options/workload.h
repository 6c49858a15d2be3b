#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "conformance/commands/options/command.h"
#include "conformance/files/progress.h"
#include "interpreter/model/literal.h"
#include "interpreter/rules/plan_set.h"
#include "interpreter/run/budget.h"

namespace hlo::conformance {

/// --jobs: all the cores that this process may use without.
void add_jobs(Command& command, int& jobs);
/// --plans.
void add_plans(Command& command, std::string& plans);
/// What --plans says. Evaluate error "evaluate.plans" for what names no
/// families.
PlanSet plans_of(const std::string& plans);

/// The budget of a program that gets these inputs: --max-work, or where that is
/// 0 the one by the inputs, as many times as its instructions are run.
std::shared_ptr<Budget> budget_for(
    int64_t max_work, const std::vector<std::vector<Literal>>& inputs,
    int64_t times = 1);

/// Progress of a program, by its budget: nobody knows when it ends, but when
/// it is stopped.
class WorkProgress {
 public:
  explicit WorkProgress(std::shared_ptr<const Budget> budget);

 private:
  Progress progress_;
};

}  // namespace hlo::conformance
