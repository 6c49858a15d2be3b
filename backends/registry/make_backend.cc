#include "backends/registry/make_backend.h"

#include "backends/cpu/cpu_backend.h"
#include "backends/interpreter/interpreter_backend.h"
#include "backends/mutant/mutant_backend.h"
#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo {
namespace {

constexpr std::string_view kMutant = "mutant:";

}  // namespace

std::unique_ptr<Backend> make_backend(std::string_view uri) {
  if (uri == "interpreter:") return make_interpreter_backend();
  if (uri == "interpreter:definition") {
    return make_interpreter_backend(PlanSet::none());
  }
  if (uri == "cpu:") return make_cpu_backend();
  if (uri.starts_with(kMutant)) {
    auto mutant = make_mutant_backend(uri.substr(kMutant.size()));
    if (mutant) return mutant;
  }
  throw Error(Phase::kParse, "usage.backend",
              "there is no backend \"" + shortened(uri) +
                  "\", but it must be cpu:, interpreter:, "
                  "interpreter:definition or mutant:NAME (assay list "
                  "--backends)");
}

std::vector<std::string> known_backends() {
  std::vector<std::string> known = {
      "cpu:", "interpreter:", "interpreter:definition"};
  for (const std::string& mutant : known_mutants()) {
    known.push_back(std::string(kMutant) + mutant);
  }
  return known;
}

}  // namespace hlo
