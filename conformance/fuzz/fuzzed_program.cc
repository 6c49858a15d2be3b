#include "conformance/fuzz/fuzzed_program.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "backends/backend.h"
#include "conformance/fuzz/coverage.h"
#include "interpreter/devices/devices.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

constexpr int64_t kMostDevices = 4;
constexpr int64_t kMostElements = 4096;
// No message says more than this of a wrong program.
constexpr size_t kMostMessage = 4000;

}  // namespace

bool is_small(const Module& module) {
  if (device_count(module) > kMostDevices) return false;
  int64_t elements = 0;
  const auto add = [&](const Shape& shape) {
    for (const Shape* leaf : leaves(shape)) {
      if (!leaf->is_array()) continue;
      elements += std::min(leaf->element_count(), kMostElements + 1);
    }
  };
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (instruction->literal != nullptr) add(instruction->shape);
    }
  }
  for (const Instruction* parameter : module.entry->parameters) {
    add(parameter->shape);
  }
  return elements <= kMostElements;
}

void check_error(const Error& error) {
  if (error.rule().empty()) report_finding(error.what());
  if (error.message().size() > kMostMessage) report_finding("a long message");
}

void report_finding(std::string_view what) {
  std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

bool ends_well(const std::function<void()>& body) {
  try {
    body();
    return true;
  } catch (const Error& error) {
    check_error(error);
    return false;
  }
}

std::optional<FuzzedProgram> fuzzed_program(std::string_view source) {
  Module module;
  const bool is_valid = ends_well([&] {
    module = text::parse(source);
    verify(module);
  });
  if (!is_valid || !is_small(module)) {
    forget_coverage();
    return std::nullopt;
  }
  Draw draw(std::hash<std::string_view>()(source));
  std::vector<std::vector<Literal>> arguments;
  for (int64_t device = 0; device < device_count(module); ++device) {
    std::vector<Literal> own;
    for (const Instruction* parameter : module.entry->parameters) {
      own.push_back(draw.literal(parameter->shape));
    }
    arguments.push_back(std::move(own));
  }
  return FuzzedProgram{std::move(module), std::move(arguments), draw};
}

}  // namespace hlo::conformance
