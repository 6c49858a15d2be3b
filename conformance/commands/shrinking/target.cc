#include "conformance/commands/shrinking/target.h"

#include <filesystem>
#include <iterator>
#include <utility>
#include <variant>

#include "backends/backend.h"
#include "conformance/case/case_files.h"
#include "conformance/case/case_program.h"
#include "conformance/commands/verified_program.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

bool is_file(const std::string& target) {
  return target == "-" || std::filesystem::exists(target);
}

}  // namespace

bool names_program(const std::string& target) {
  return is_file(target) && !target.ends_with(".jsonl") &&
         !target.ends_with(".md") && !std::filesystem::is_directory(target);
}

Program program_of_text(std::string_view source,
                        std::span<const std::string> inputs) {
  const Module module = verified_program(source, inputs);
  Program program{text::print(module), {}};
  for (const auto& list : make_device_inputs(module, inputs)) {
    std::ranges::move(array_leaves(list), std::back_inserter(program.inputs));
  }
  return program;
}

Program program_of(const Case& c) {
  return {text::print(case_module(c)), c.inputs};
}

std::vector<Case> cases_of(const std::string& target, const std::string& filter,
                           FileUse& use) {
  const bool in_file = is_file(target);
  const std::vector<std::string> files =
      case_files(in_file ? std::vector{target} : std::vector<std::string>());
  if (in_file) use.read(files);
  std::vector<Case> cases = load_all(files, in_file ? filter : target);
  std::erase_if(cases, [](const Case& c) {
    return !c.expect.empty() &&
           std::holds_alternative<RejectedSet>(c.expect.front());
  });
  require_evaluable(!cases.empty(), "usage.case",
                    {in_file ? "no case with a result is selected in "
                             : "there is no such file, nor a case with a "
                               "result: ",
                     target},
                    "the first argument must name one");
  return cases;
}

}  // namespace hlo::conformance
