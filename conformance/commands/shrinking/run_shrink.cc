#include "conformance/commands/shrinking/run_shrink.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "backends/registry/make_backend.h"
#include "conformance/commands/options/judging.h"
#include "conformance/commands/shrinking/target.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/output_folder.h"
#include "conformance/files/progress.h"
#include "conformance/files/standard_output.h"
#include "conformance/levels/profile_text.h"
#include "conformance/report/exit_code.h"
#include "conformance/shrink/folder_page.h"
#include "conformance/shrink/reproducer.h"

namespace hlo::conformance {
namespace {

ShrinkOptions limits_of(const ShrinkCommand& options) {
  return {.profile = parse_profile(options.profile),
          .most = Seconds(options.timeout),
          .candidates = options.limits.candidates,
          .time = Seconds(options.limits.seconds)};
}

/// Says what came of it, where there is no folder; the exit code.
int end(ShrinkEnd came, const ShrinkCommand& options) {
  if (came == ShrinkEnd::kShrunk) return kDiffers;
  if (came == ShrinkEnd::kOutOfTime) {
    say("{}: the {:g} s of --shrink-time ended before it was known whether it "
        "fails\n",
        printable(options.target), options.limits.seconds);
    return kIncomplete;
  }
  say("{}: nothing fails, twice in the same way, so there is nothing to "
      "shrink\n",
      printable(options.target));
  return kConforms;
}

int shrink_any(const ShrinkCommand& options, std::string& source) {
  chosen_backend(options.backend);  // wrong names are found before all else
  ShrinkOptions limits = limits_of(options);
  FileUse use;
  if (names_program(options.target)) {
    use.read(options.target);
    use.read(input_files(options.inputs));
    source = read_program(options.target);
    const Program program = program_of_text(source, options.inputs);
    return end(
        shrink_into(options.output, use, program, options.backend, limits),
        options);
  }
  ShrinkEnd came = ShrinkEnd::kDoesNotFail;
  for (const Case& c : cases_of(options.target, options.filter, use)) {
    limits.stated = c;
    const ShrinkEnd one = shrink_into(options.output, use, program_of(c),
                                      options.backend, limits);
    if (one == ShrinkEnd::kShrunk) return kDiffers;
    if (one == ShrinkEnd::kOutOfTime) came = one;
  }
  return end(came, options);
}

}  // namespace

ShrinkEnd shrink_into(const std::string& folder, const FileUse& use,
                      const Program& program, const std::string& backend,
                      const ShrinkOptions& options) {
  const MakeBackend make = [&] { return make_backend(backend); };
  std::optional<CountedProgress> progress(std::in_place, options.candidates,
                                          "candidate");
  ShrinkOptions counted = options;
  counted.asked = [&] { progress->step(); };
  const Shrunk shrunk = shrink(program, make, counted);
  progress.reset();
  if (!shrunk.kind) {
    return shrunk.is_out_of_time ? ShrinkEnd::kOutOfTime
                                 : ShrinkEnd::kDoesNotFail;
  }
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
  return ShrinkEnd::kShrunk;
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
