#include "conformance/commands/options/which_cases.h"

#include "conformance/commands/options/limits.h"

namespace hlo::conformance {

void add_drawing(CLI::App* command, Drawing& drawing) {
  command->add_option("--seed", drawing.seed, "of the tier full")
      ->check(number<int64_t>(0, UINT32_MAX))
      ->capture_default_str();
  command
      ->add_option("--count", drawing.count, "how many cases of the tier full")
      ->check(positive())
      ->capture_default_str();
  command
      ->add_option("--shard", drawing.shard,
                   "I/N: part I of N of the tier full, from 0")
      ->capture_default_str();
}

void add_filter(CLI::App* command, std::string& filter) {
  command
      ->add_option("-f,--filter", filter,
                   "which cases: GLOB:GLOB...[:-GLOB...]")
      ->capture_default_str();
}

}  // namespace hlo::conformance
