#include "backends/registry/make_backend.h"

#include <stdexcept>

#include "backends/cpu/cpu_backend.h"
#include "backends/interpreter/interpreter_backend.h"
#include "backends/mutant/mutant_backend.h"

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
  std::string message = "unknown backend \"" + std::string(uri) + "\"; known:";
  for (const std::string& known : known_backends()) message += " " + known;
  throw std::invalid_argument(message);
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
