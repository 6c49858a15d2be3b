#include "conformance/commands/shrinking/run_shrink.h"

#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

#include "backends/registry/make_backend.h"
#include "conformance/case/case_files.h"
#include "conformance/case/case_program.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/output_folder.h"
#include "conformance/files/progress.h"
#include "conformance/files/standard_output.h"
#include "conformance/levels/profile_text.h"
#include "conformance/report/exit_code.h"
#include "conformance/shrink/reproducer.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

bool is_case_file(const std::string& path) {
  return path.ends_with(".jsonl") || path.ends_with(".md") ||
         std::filesystem::is_directory(path);
}

Program program_of_file(const ShrinkCommand& options,
                        const std::string& source) {
  const Module module = verified_program(source, options.inputs);
  Program program{text::print(module), {}};
  for (const auto& list : make_device_inputs(module, options.inputs)) {
    std::ranges::move(array_leaves(list), std::back_inserter(program.inputs));
  }
  return program;
}

/// The cases that the backend is asked about: not those of invalid programs.
std::vector<Case> cases_of(const ShrinkCommand& options, bool is_file,
                           FileUse& use) {
  const std::vector<std::string> files = case_files(
      is_file ? std::vector{options.target} : std::vector<std::string>());
  if (is_file) use.read(files);
  std::vector<Case> cases =
      load_all(files, is_file ? options.filter : options.target);
  std::erase_if(cases, [](const Case& c) {
    return !c.expect.empty() &&
           std::holds_alternative<RejectedSet>(c.expect.front());
  });
  require_evaluable(
      !cases.empty(), "usage.shrink",
      {"there is no such file, nor a case with a result: ", options.target},
      "the first argument must name one");
  return cases;
}

ShrinkOptions limits_of(const ShrinkCommand& options) {
  return {.profile = parse_profile(options.profile),
          .most = Seconds(options.timeout),
          .candidates = options.limits.candidates,
          .time = Seconds(options.limits.seconds)};
}

/// kConforms where the program does not fail.
int end(bool fails, const ShrinkCommand& options) {
  if (fails) return kDiffers;
  say("{}: nothing fails, twice in the same way, so there is nothing to "
      "shrink\n",
      printable(options.target));
  return kConforms;
}

int shrink_any(const ShrinkCommand& options, std::string& source) {
  make_backend(options.backend);  // wrong names are found before all else
  ShrinkOptions limits = limits_of(options);
  const bool is_file =
      options.target == "-" || std::filesystem::exists(options.target);
  if (is_file && !is_case_file(options.target)) {
    FileUse use;
    use.read(options.target);
    use.read(input_files(options.inputs));
    source = read_program(options.target);
    return end(
        shrink_into(options.output, use, program_of_file(options, source),
                    options.backend, limits),
        options);
  }
  FileUse use;
  for (const Case& c : cases_of(options, is_file, use)) {
    limits.stated = c;
    if (shrink_into(options.output, use, program_of(c), options.backend,
                    limits)) {
      return kDiffers;
    }
  }
  return end(false, options);
}

}  // namespace

Program program_of(const Case& c) {
  return {text::print(case_module(c)), c.inputs};
}

bool shrink_into(const std::string& folder, const FileUse& use,
                 const Program& program, const std::string& backend,
                 const ShrinkOptions& options) {
  const MakeBackend make = [&] { return make_backend(backend); };
  std::optional<CountedProgress> progress(std::in_place, options.candidates,
                                          "candidate");
  ShrinkOptions counted = options;
  counted.asked = [&] { progress->step(); };
  const Shrunk shrunk = shrink(program, make, counted);
  progress.reset();
  if (!shrunk.kind) return false;
  // First, as the folder may turn out not to be writable.
  say("{}", printable(fmt::format("{}\n{}{}\n", describe(*shrunk.kind),
                                  shrunk.smallest.program.hlo,
                                  shrink_report(shrunk))));
  OutputFolder output(folder, use);
  for (const auto& [name, text] :
       reproducer_files(shrunk, backend, make, options)) {
    output.write(name, text);
  }
  output.commit();
  say("{}\n", printable(folder));
  return true;
}

int run_shrink(const ShrinkCommand& options) {
  std::string source;
  try {
    return shrink_any(options, source);
  } catch (const Error& error) {
    return report_error(error, options.target, source);
  }
}

}  // namespace hlo::conformance
