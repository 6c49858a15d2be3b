#include "conformance/commands/command_line/golden_command.h"

#include <string>
#include <string_view>

#include "conformance/commands/options/judging.h"
#include "conformance/commands/options/limits.h"
#include "conformance/commands/options/program_inputs.h"
#include "conformance/commands/options/reports.h"
#include "conformance/commands/options/waiving.h"
#include "conformance/commands/options/which_cases.h"
#include "conformance/commands/options/workload.h"
#include "conformance/waivers/day.h"
#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

/// Options that one action has, and no other.
struct Owned {
  const char* option;
  std::string_view owner;
};

constexpr Owned kOwners[] = {
    {"--input", "make"},     {"--max-work", "make"}, {"--backend", "check"},
    {"--exact", "check"},    {"--profile", "check"}, {"--timeout", "check"},
    {"--failures", "check"}, {"--junit", "check"},   {"--waivers", "check"},
    {"--strict", "check"},   {"--today", "check"},   {"--who", "bless"},
    {"--when", "bless"},     {"--why", "bless"},     {"--seed", "draw"},
    {"--count", "draw"},     {"--shard", "draw"},
};

void check_owners(const Command& command, const std::string& action) {
  for (const auto& [option, owner] : kOwners) {
    require_evaluable(
        owner == action || !command.has(option), "usage.golden",
        {option, " is given to golden ", action},
        "it must be given to golden " + std::string(owner) + " alone");
  }
}

void add_check_options(Command& command, CheckOptions& check) {
  add_backend(command, check.backend);
  command.add_flag("--exact", check.exact,
                   "only the reference's bits conform, those of NaN too");
  add_profile(command, check.profile, check.backend);
  add_timeout(command, check.timeout);
  add_failures(command, check.failures, 0);
  add_junit(command, check.junit);
  add_waiving(command, check.waiving);
}

void add_bless_options(Command& command, Blessing& by) {
  command
      .add_option("--who", by.who,
                  "who blesses other results of programs: the file keeps it")
      .type_name("NAME");
  command
      .add_option("--when", by.when,
                  "the day, as in 2027-01-31, or today: the file keeps it")
      .type_name("DAY")
      .check([](const std::string& text) -> std::string {
        if (text == "today" || is_day(text)) return {};
        return "it is " + shortened(text) +
               ", but must be a day as in 2027-01-31, or today";
      });
  command.add_option("--why", by.why, "for what reason: the file keeps it")
      .type_name("TEXT");
}

}  // namespace

void add_golden(Command& program, GoldenOptions& options, Action& chosen) {
  Command command =
      subcommand(program,
                 {"golden", "keep what programs must return, and check it",
                  "  assay golden make model.hlo -i random:1 -o model.jsonl\n"
                  "  assay golden check model.jsonl --backend cpu:\n"
                  "  assay golden diff old.jsonl model.jsonl\n"
                  "  assay golden draw --count 100 -f add -o drawn.jsonl\n"},
                 chosen, [&options] { return run_golden(options); });
  command
      .add_option("ACTION", options.action,
                  "make: print the cases of programs; check: judge a backend "
                  "by them; diff: tell how two files differ; verify: compute "
                  "expectations again; bless: fill in what is left to the "
                  "reference, or has changed; manifest: write it; draw: print "
                  "drawn cases")
      .required()
      .check(one_of(
          {"verify", "bless", "manifest", "draw", "make", "check", "diff"}));
  command.add_option("FILE", options.files,
                     "vector files, - for stdin; all without any; of make "
                     "programs");
  add_inputs(command, options.inputs);
  add_check_options(command, options.check);
  add_bless_options(command, options.by);
  add_drawing(command, options.drawing);
  add_filter(command, options.filter);
  add_text_output(command, options.output);
  add_jobs(command, options.jobs);
  add_limits(command, options.max_work);
  command.when_read([command, &options] {
    check_owners(command, options.action);
    use_declared_profile(command, options.check.profile, options.check.backend);
  });
}

}  // namespace hlo::conformance
