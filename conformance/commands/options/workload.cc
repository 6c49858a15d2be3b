#include "conformance/commands/options/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "conformance/commands/options/limits.h"
#include "interpreter/error.h"

namespace hlo::conformance {

void add_jobs(Command& command, int& jobs) {
  constexpr int kMost = 256;
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  jobs = std::clamp(cores, 1, kMost);
  command
      .add_option("-j,--jobs,-t,--threads", jobs,
                  "how much is done at the same time: cases, or parts of one "
                  "program; as many as cores without")
      .check(number(1, kMost));
}

void add_plans(Command& command, std::string& plans) {
  command
      .add_option("--plans", plans,
                  "all, none (definitions only), or families: -fold,-sort")
      .type_name("PLANS")
      .capture_default_str();
}

PlanSet plans_of(const std::string& plans) {
  const auto set = PlanSet::parse(plans);
  require_evaluable(set.has_value(), "evaluate.plans",
                    {"--plans is \"", plans, "\""}, [] {
                      return "it must be all, none, or families as in "
                             "-fold,-sort; the families are " +
                             PlanSet::names();
                    });
  return *set;
}

std::shared_ptr<Budget> budget_for(
    int64_t max_work, const std::vector<std::vector<Literal>>& inputs,
    int64_t times) {
  int64_t elements = 0;
  for (const std::vector<Literal>& list : inputs) {
    for (const Literal& input : list) {
      for (const Literal* leaf : leaves(input)) {
        elements += leaf->element_count();
      }
    }
  }
  if (max_work > 0) return std::make_shared<Budget>(max_work);
  // No product of endless work and few times is too large.
  return std::make_shared<Budget>(times * Budget::by_inputs(elements));
}

WorkProgress::WorkProgress(std::shared_ptr<const Budget> budget)
    : progress_([budget = std::move(budget)] {
        const double share = static_cast<double>(budget->spent()) /
                             static_cast<double>(budget->most());
        return WorkDone{
            .text = fmt::format("{:.1f} % of --max-work", 100 * share),
            .share = share,
            .most = true};
      }) {}

}  // namespace hlo::conformance
