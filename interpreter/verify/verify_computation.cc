#include <algorithm>
#include <string>

#include "interpreter/counted.h"
#include "interpreter/verify/verify_rules.h"

namespace hlo {
namespace {

void require_same(const Shape& given, const Shape& actual,
                  std::string_view rule, const std::string& what,
                  Location location) {
  if (compatible(given, actual, /*ignore_dynamic=*/true)) return;
  throw Error(Phase::kVerify, rule,
              joined({what, " is ", actual, ", but ", given, " is declared"}),
              location);
}

}  // namespace

void check_devices(const Module& module) {
  constexpr int64_t kMost = int64_t{1} << 20;
  const auto fits = [](int64_t count) { return count >= 1 && count <= kMost; };
  require(fits(module.replica_count) && fits(module.num_partitions),
          "text.range",
          {"replica_count is ", module.replica_count, " and num_partitions ",
           module.num_partitions},
          "they must be at least 1 and at most 2^20");
}

void check_parameters(const Computation& computation) {
  size_t count = 0;
  for (const auto& instruction : computation.instructions) {
    if (instruction->parameter_number >= 0) ++count;
  }
  const bool each_once = count == computation.parameters.size() &&
                         std::ranges::find(computation.parameters, nullptr) ==
                             computation.parameters.end();
  if (each_once && computation.root != nullptr) return;
  throw Error(Phase::kVerify, "text.parameters",
              joined({"the computation ", computation, " has ",
                      Count{static_cast<int64_t>(count), "parameter"},
                      ", whose numbers have gaps or repeat",
                      ", but must count from 0"}),
              computation.location);
}

void check_signature(const Computation& computation) {
  if (!computation.declared_result) return;
  require_same(*computation.declared_result, computation.root->shape,
               "text.result-shape", "the root of " + computation.name,
               computation.location);
}

void check_entry_layout(const Module& module) {
  if (!module.entry_layout || module.entry == nullptr) return;
  const EntryLayout& layout = *module.entry_layout;
  const Computation& entry = *module.entry;
  if (layout.parameters.size() != entry.parameters.size()) {
    throw Error(Phase::kVerify, "module.entry-layout",
                "entry_computation_layout has " +
                    counted(std::ssize(layout.parameters), "shape") + " for " +
                    counted(std::ssize(entry.parameters), "parameter") +
                    ", but must have one for each",
                entry.location);
  }
  for (size_t i = 0; i < entry.parameters.size(); ++i) {
    require_same(layout.parameters[i], entry.parameters[i]->shape,
                 "module.entry-layout", "parameter " + std::to_string(i),
                 entry.parameters[i]->location);
  }
  require_same(layout.result, entry.root->shape, "module.entry-layout",
               "the result of the program", entry.root->location);
}

}  // namespace hlo
