#include "conformance/commands/command_line/event_commands.h"

#include <string>
#include <vector>

#include "conformance/commands/options/judging.h"
#include "conformance/commands/options/limits.h"
#include "conformance/commands/options/reports.h"
#include "conformance/commands/sweep_figures.h"

namespace hlo::conformance {
namespace {

/// The files that hold events; `words` say which.
void add_events(Command& command, std::vector<std::string>& files,
                const char* words) {
  command.add_option("EVENTS", files, words).required();
}

}  // namespace

void add_merge(Command& program, MergeOptions& options, Action& chosen) {
  Command command = subcommand(
      program,
      {"merge", "join the shards of a run of check",
       "  assay merge shard_0.jsonl shard_1.jsonl --junit run.xml\n"},
      chosen, [&options] { return run_merge(options); });
  command
      .add_option(
          "EVENTS", options.files,
          "what check --shard I/N -o wrote, of all shards; - reads stdin")
      .required();
  add_reports(command, options, "file for the events of the whole run");
  add_max_memory(command);
}

void add_report(Command& program, ReportPageOptions& options, Action& chosen) {
  Command command = subcommand(
      program,
      {"report", "show what runs of check came to, beside each other",
       "  assay report run.jsonl --html run.html\n"
       "  assay report monday.jsonl tuesday.jsonl --markdown summary.md\n"
       "  assay report run.jsonl --sweep exp.jsonl --html run.html\n"},
      chosen, [&options] {
        return run_report(options, sweep_figures(options.sweeps));
      });
  add_events(command, options.files, "what check -o wrote, of each run");
  const auto add_file = [&](const char* name, std::string& file,
                            const char* words) {
    command.add_option(name, file, words).type_name("FILE");
  };
  add_file("--html", options.html, "file for a page with all cases");
  command
      .add_option("--sweep", options.sweeps,
                  "what sweep -o wrote: its plots on the page; may stand "
                  "several times")
      .type_name("FILE")
      .repeatable()
      .needs(command.option("--html"));
  add_file("--markdown", options.markdown, "file for a summary, as GitHub's");
  add_file("--tap", options.tap, "file for a TAP report");
  add_junit(command, options.junit);
  add_file("--badge", options.badge, "file for an SVG picture");
  add_max_memory(command);
}

void add_history(Command& program, HistoryOptions& options, Action& chosen) {
  Command command =
      subcommand(program,
                 {"history", "tell which cases changed from run to run",
                  "  assay history runs/\n"},
                 chosen, [&options] { return run_history(options); });
  add_events(command, options.files,
             "what check -o wrote, or folders of such files (*.jsonl)");
  add_text_output(command, options.output);
  add_max_memory(command);
}

void add_trend(Command& program, HistoryOptions& options, Action& chosen) {
  options.trend = true;
  Command command =
      subcommand(program,
                 {"trend", "tell what each run came to, and what it changed",
                  "  assay trend runs/\n"},
                 chosen, [&options] { return run_history(options); });
  add_events(command, options.files,
             "what check -o wrote, or folders of such files (*.jsonl)");
  add_text_output(command, options.output);
  add_max_memory(command);
}

}  // namespace hlo::conformance
