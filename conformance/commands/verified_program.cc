#include "conformance/commands/verified_program.h"

#include <algorithm>
#include <utility>

#include "conformance/case/file_error.h"
#include "conformance/files/read_file.h"
#include "conformance/files/standard_output.h"
#include "conformance/literals/inputs.h"
#include "conformance/report/exit_code.h"
#include "interpreter/counted.h"
#include "interpreter/model/element_type.h"
#include "interpreter/nearest.h"
#include "interpreter/rules/op.h"
#include "interpreter/shortened.h"
#include "interpreter/stablehlo/import/import.h"
#include "interpreter/stablehlo/read/parse.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// The rules whose labels begin so, and the exit code where they are broken.
struct RuleFamily {
  std::string_view beginning;
  ExitCode code;
  bool is_about_program = false;  // else the program's file is not named
};

constexpr RuleFamily kFamilies[] = {
    {"file.twice", kUsage},     {"file.", kBroken},
    {"vectors.", kBroken},      {"page.", kBroken},
    {"numerics.", kBroken},     {"usage.", kUsage},
    {"input.", kUsage},         {"npy.", kUsage},
    {"explain.", kUsage, true}, {"evaluate.plans", kUsage},
    {"layout.at", kUsage},      {"layout.offset", kUsage},
};

RuleFamily family_of(std::string_view rule) {
  for (const RuleFamily& family : kFamilies) {
    if (rule.starts_with(family.beginning)) return family;
  }
  return {"", kDiffers, true};
}

/// The programs of an HLO text as `fmt` prints several: a line `// -----`
/// before the next HloModule. Each stands behind as many lines as in the text.
std::vector<std::string> hlo_programs(std::string_view source) {
  constexpr std::string_view kNext = "\n// -----\nHloModule ";
  const size_t skipped = kNext.find('H');
  std::vector<std::string> programs;
  size_t begin = 0;
  std::ptrdiff_t lines = 0;
  for (size_t end = 0; end != std::string_view::npos;) {
    end = source.find(kNext, begin);
    const std::string_view program = source.substr(begin, end - begin);
    programs.emplace_back(static_cast<size_t>(lines), '\n');
    programs.back() += program;
    lines += std::ranges::count(program, '\n') + 2;
    begin = end + skipped;
  }
  return programs;
}

/// Suggestions for the words of a glob that are near the name of an operation
/// or a type, but no such name.
std::string what_is_meant(const std::string& filter) {
  std::vector<std::string> names;
  for (const Op* op : all_ops()) names.emplace_back(op->name);
  for (const TypeInfo& type : all_types()) names.emplace_back(type.name);
  std::string word;
  for (const char c : filter + "/") {
    if (std::string_view(":/*?").find(c) == std::string_view::npos) {
      word += c;
      continue;
    }
    const bool is_name = std::ranges::find(names, word) != names.end();
    const std::string meant = is_name ? "" : suggestion(word, names);
    if (!meant.empty()) return meant;
    word.clear();
  }
  return {};
}

}  // namespace

std::string read_program(const std::string& file) { return read_input(file); }

std::vector<Module> verified_programs(std::string_view source,
                                      std::span<const std::string> inputs) {
  std::vector<Module> modules;
  if (!stablehlo::is_stablehlo(source)) {
    for (const std::string& program : hlo_programs(source)) {
      modules.push_back(verified_module(program));
    }
    return modules;
  }
  const auto sizes = [&](size_t i) {
    return i < inputs.size() ? sizes_of_input(inputs[i]) : std::nullopt;
  };
  for (const stablehlo::Program& program : stablehlo::parse(source)) {
    modules.push_back(stablehlo::import_program(program, sizes));
    verify(modules.back());
  }
  return modules;
}

Module verified_program(std::string_view source,
                        std::span<const std::string> inputs) {
  std::vector<Module> modules = verified_programs(source, inputs);
  if (modules.size() == 1) return std::move(modules.front());
  throw Error(Phase::kParse, "input.programs",
              "the text has " + counted(std::ssize(modules), "program") +
                  ", but one is wanted");
}

CustomCalls load_custom_calls(std::span<const std::string> paths) {
  CustomCalls functions;
  for (const std::string& path : paths) functions.load(path);
  return functions;
}

int report_no_case(const std::string& filter) {
  if (filter == "*") {
    complain("there are no cases in the files\n");
    return kNothing;
  }
  return report_error(
      Error(Phase::kParse, "usage.filter",
            "nothing is called like " + shortened(filter) +
                what_is_meant(filter) + ", but a filter must select something"),
      "", "");
}

int report_error(const Error& error, const std::string& file,
                 std::string_view source) {
  const RuleFamily family = family_of(error.rule());
  if (const auto* in_file = dynamic_cast<const FileError*>(&error)) {
    complain(printable(in_file->rendered()));
    return family.code;
  }
  const Error shown = family.is_about_program
                          ? error
                          : Error(error.phase(), error.rule(), error.message());
  complain(printable(
      text::render(shown, family.is_about_program ? file : "", source)));
  return family.code;
}

}  // namespace hlo::conformance
