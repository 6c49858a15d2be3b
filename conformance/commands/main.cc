#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <limits>
#include <new>
#include <sstream>
#include <string>
#include <thread>

#include "conformance/commands/options/judging.h"
#include "conformance/commands/options/limits.h"
#include "conformance/commands/options/program_inputs.h"
#include "conformance/commands/options/reports.h"
#include "conformance/commands/options/which_cases.h"
#include "conformance/commands/run_bounds.h"
#include "conformance/commands/run_check.h"
#include "conformance/commands/run_compare.h"
#include "conformance/commands/run_eval.h"
#include "conformance/commands/run_explain.h"
#include "conformance/commands/run_fmt.h"
#include "conformance/commands/run_golden.h"
#include "conformance/commands/run_layout.h"
#include "conformance/commands/run_list.h"
#include "conformance/commands/run_spec.h"
#include "conformance/commands/run_verify_numerics.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/memory_limit.h"
#include "conformance/files/standard_output.h"
#include "conformance/files/stop.h"
#include "conformance/judge/worker.h"
#include "conformance/merge/run_merge.h"
#include "conformance/report/exit_code.h"
#include "interpreter/arithmetic_state.h"
#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

using Action = std::function<int()>;

constexpr int kMaxThreads = 256;

CLI::App* subcommand(CLI::App& app, const std::string& name,
                     const std::string& help, Action& chosen,
                     const Action& action) {
  CLI::App* command = app.add_subcommand(name, help);
  command->callback([&chosen, action] { chosen = action; });
  return command;
}

void add_threads(CLI::App* command, int& threads) {
  command->add_option("-t,--threads", threads, "threads of the reference")
      ->check(number(1, kMaxThreads))
      ->capture_default_str();
}

/// -j: all the cores that this process may use without.
void add_jobs(CLI::App* command, int& jobs, const std::string& what) {
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  jobs = std::clamp(cores, 1, kMaxThreads);
  command->add_option("-j,--jobs", jobs, what + "; as many as cores without")
      ->check(number(1, kMaxThreads));
}

void add_eval(CLI::App& app, EvalOptions& options, Action& chosen) {
  CLI::App* command =
      subcommand(app, "eval", "run a program on the reference", chosen,
                 [&options] { return run_eval(options); });
  command
      ->add_option("FILE", options.file, "the program; - reads it from stdin")
      ->required();
  add_inputs(command, options.inputs);
  add_surroundings(command, options.infeed, options.custom_calls);
  command
      ->add_option("-o,--output", options.output,
                   "print, none, digest, or a folder for .npy files")
      ->capture_default_str();
  add_threads(command, options.threads);
  add_limits(command, options.max_work);
  command
      ->add_option("--plans", options.plans,
                   "all, none (definitions only), or families: -fold,-sort")
      ->capture_default_str();
}

void add_explain(CLI::App& app, ExplainOptions& options, Action& chosen) {
  CLI::App* command = subcommand(
      app, "explain", "tell where one element of a result comes from", chosen,
      [&options] { return run_explain(options); });
  command
      ->add_option("FILE", options.file, "the program; - reads it from stdin")
      ->required();
  add_inputs(command, options.inputs);
  add_surroundings(command, options.infeed, options.custom_calls);
  command->add_option("-e,--element", options.element,
                      "%name[1,2], or %name{0}[1,2] in a tuple; the first "
                      "element of the program's result without");
  command
      ->add_option("--run", options.run,
                   "which run of an instruction that runs many times")
      ->check(positive())
      ->capture_default_str();
  command
      ->add_option("--device", options.device,
                   "REPLICA or REPLICA,PARTITION; the first that runs it")
      ->delimiter(',')
      ->expected(1, 2)
      ->check(not_negative());
  command->add_option("--depth", options.depth, "how many instructions back")
      ->check(positive())
      ->capture_default_str();
  command->add_option("--terms", options.terms, "of a sum that are shown")
      ->check(not_negative())
      ->capture_default_str();
  add_limits(command, options.max_work);
}

void add_layout(CLI::App& app, LayoutOptions& options, Action& chosen) {
  CLI::App* command =
      subcommand(app, "layout", "draw how an array lies in memory", chosen,
                 [&options] { return run_layout(options); });
  command->add_option("SHAPE", options.shape, "as in f32[3,5]{1,0:T(2,2)}")
      ->required();
  command->add_option("--at", options.at, "tell the slot of this index: 2,3");
  command->add_option("--offset", options.offsets,
                      "tell what is in this slot: an element or padding");
  command->add_option("-o,--svg", options.svg, "file for a picture");
}

void add_fmt(CLI::App& app, FmtOptions& options, Action& chosen) {
  CLI::App* command =
      subcommand(app, "fmt", "check programs and print them canonically",
                 chosen, [&options] { return run_fmt(options); });
  command->add_option("FILE", options.files, "programs; - reads stdin")
      ->required();
  command->add_flag("--check", options.check,
                    "print nothing; fail where a program is not canonical");
  command
      ->add_option("--to", options.to,
                   "the language to print; that of the input by default")
      ->check(CLI::IsMember({"hlo", "stablehlo"}));
}

void add_check(CLI::App& app, CheckOptions& options, Action& chosen) {
  CLI::App* command = subcommand(app, "check", "judge a backend", chosen,
                                 [&options] { return run_check(options); });
  command->add_option("CASES", options.cases,
                      "vector files, pages or folders; all without any");
  command
      ->add_option("--tier", options.tier,
                   "smoke: few cases; core: all; full: drawn from a seed")
      ->check(CLI::IsMember({"smoke", "core", "full"}))
      ->capture_default_str();
  add_drawing(command, options.drawing);
  add_backend(command, options.backend, "cpu:, interpreter:, ...");
  add_filter(command, options.filter);
  add_require(command, options.require);
  add_jobs(command, options.jobs, "cases at the same time");
  add_timeout(command, options.timeout,
              "seconds after which a case counts as crashed");
  add_max_memory(command);
  add_profile(command, options.profile);
  command->add_flag("--levels", options.levels,
                    "also find the strictest level passed");
  add_reports(command, options, "file for the events, one JSON object a line");
  options.version = ASSAY_VERSION;
  options.environment = [](const char* name) { return std::getenv(name); };
  command->add_option("--cache", options.cache,
                      "folder that keeps results which conform or are not "
                      "supported, for later runs");
  command->add_flag("--resume", options.resume,
                    "go on with the events of a run that ended early");
}

void add_merge(CLI::App& app, MergeOptions& options, Action& chosen) {
  CLI::App* command =
      subcommand(app, "merge", "join the shards of a run of check", chosen,
                 [&options] { return run_merge(options); });
  command
      ->add_option("EVENTS", options.files,
                   "what check --shard I/N -o wrote, of all shards")
      ->required();
  add_reports(command, options, "file for the events of the whole run");
}

void add_compare(CLI::App& app, CompareOptions& options, Action& chosen) {
  CLI::App* command = subcommand(
      app, "compare",
      "judge a backend on each instruction of programs, or a compiler", chosen,
      [&options] { return run_compare(options); });
  command->add_option("FILE", options.files,
                      "the program; several, or folders: one summary");
  command->add_option("--before", options.before,
                      "a program, and with --after what became of it");
  command->add_option("--after", options.after,
                      "must return what the one of --before may");
  command->add_option("--dump", options.dump,
                      "a folder of XLA's --xla_dump_to: all such pairs in it");
  command->add_option("--elided", options.elided,
                      "random:SEED: draw the constants that texts leave out");
  add_backend(command, options.backend, "cpu:, interpreter:, ...");
  add_inputs(command, options.inputs);
  add_surroundings(command, options.infeed, options.custom_calls);
  add_profile(command, options.profile);
  add_threads(command, options.threads);
  add_limits(command, options.max_work);
  add_timeout(command, options.timeout,
              "seconds after which the backend counts as crashed");
  command
      ->add_option("--failures", options.failures,
                   "instructions that fail, shown in full, before it stops")
      ->check(positive())
      ->capture_default_str();
}

void add_bounds(CLI::App& app, BoundsOptions& options, Action& chosen) {
  CLI::App* command = subcommand(
      app, "bounds",
      "certify what a program may return on every backend that conforms",
      chosen, [&options] { return run_bounds(options); });
  command
      ->add_option("FILE", options.file, "the program; - reads it from stdin")
      ->required();
  add_inputs(command, options.inputs);
  add_profile(command, options.profile);
  add_backend(command, options.backend,
              "a backend whose results are compared with the ranges");
  command->add_option(
      "-o,--output", options.output,
      "folder for N.npy, N.low.npy and N.high.npy of each leaf");
  command
      ->add_option("--show", options.show,
                   "elements of each leaf to print, the widest first")
      ->check(not_negative())
      ->capture_default_str();
  add_limits(command, options.max_work);
}

void add_golden(CLI::App& app, GoldenOptions& options, Action& chosen) {
  CLI::App* command =
      subcommand(app, "golden", "compute the expectations of vectors again",
                 chosen, [&options] { return run_golden(options); });
  command
      ->add_option("ACTION", options.action,
                   "verify: compare them; bless: fill in what is left to the "
                   "reference; manifest: write it; draw: print drawn cases")
      ->required()
      ->check(CLI::IsMember({"verify", "bless", "manifest", "draw"}));
  command->add_option("FILE", options.files, "vector files; all without any");
  add_drawing(command, options.drawing);
  add_filter(command, options.filter);
  add_max_memory(command);
}

void add_list(CLI::App& app, ListOptions& options, Action& chosen) {
  CLI::App* command = subcommand(app, "list", "list what there is", chosen,
                                 [&options] { return run_list(options); });
  command->add_flag("--operations", options.operations,
                    "operations, and whether they can be evaluated (default)");
  command->add_flag("--backends", options.backends, "backends");
  command->add_flag("--types", options.types, "element types");
  command->add_flag("--cases", options.cases, "cases and what they state");
  command->add_option("-f,--filter", options.filter, "GLOB:GLOB...[:-GLOB...]");
}

void add_spec(CLI::App& app, SpecOptions& options, Action& chosen) {
  CLI::App* command =
      subcommand(app, "spec", "print a page of the specification", chosen,
                 [&options] { return run_spec(options); });
  command
      ->add_option("PAGE", options.operation,
                   "an operation (pad), or a chapter (layout)")
      ->required();
}

void add_verify_numerics(CLI::App& app, VerifyNumericsOptions& options,
                         Action& chosen) {
  CLI::App* command = subcommand(
      app, "verify-numerics", "prove the reference's functions by rivals",
      chosen, [&options] { return run_verify_numerics(options); });
  command->add_option("--function", options.functions,
                      "exp, log1p, ...; all without any");
  constexpr int64_t kAllBlocks = 4096;
  command
      ->add_option("--blocks", options.blocks,
                   "of f32 arguments for each function; 4096 are all")
      ->check(number(int64_t{1}, kAllBlocks))
      ->capture_default_str();
  command->add_flag("!--no-rival", options.rival,
                    "compare with the committed checksums only");
  command
      ->add_option("--hard", options.hard_cases,
                   "f64 arguments that are hard to round, for each function")
      ->check(not_negative())
      ->capture_default_str();
  command->add_flag("--codes", options.codes,
                    "all arguments of types of at most 16 bits (of two: 8) "
                    "against MPFR as well");
  command->add_flag("--pairs", options.pairs,
                    "add and multiply all pairs of f16 and of bf16 as well");
  command
      ->add_option("--battery", options.battery,
                   "print checksums of a fixed battery instead, with so many "
                   "inputs of each part")
      ->check(not_negative());
  command->add_option("--write", options.write,
                      "folder for the checksums of functions that agree with "
                      "their rival everywhere");
  add_jobs(command, options.jobs, "threads");
}

/// All options of the program, and the command that was chosen.
struct CommandLine {
  BoundsOptions bounds;
  EvalOptions eval;
  ExplainOptions explain;
  FmtOptions fmt;
  CheckOptions check;
  CompareOptions compare;
  GoldenOptions golden;
  LayoutOptions layout;
  ListOptions list;
  MergeOptions merge;
  SpecOptions spec;
  VerifyNumericsOptions verify_numerics;
  Action chosen;
};

/// What is wrong with the command line, or the help that it asks for.
int print_usage(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream help;
  std::ostringstream complaint;
  if (app.exit(error, help, complaint) == 0) {
    say(help.str());
    return kConforms;
  }
  constexpr size_t kMostComplaint = 400;
  throw Error(Phase::kParse, "usage.option",
              shortened(error.what(), kMostComplaint) +
                  " (assay COMMAND --help tells what there is)");
}

/// Error "usage.command" where the first argument is none.
void check_command(const CLI::App& app, int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first.starts_with('-')) return;
  std::string names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_name() == first) return;
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  throw Error(Phase::kParse, "usage.command",
              (argc > 1 ? "there is no command \"" + shortened(first) + "\""
                        : std::string("no command is given")) +
                  ", but it must be one of " + names);
}

int run(int argc, char** argv) {
  CLI::App app("Tells whether a machine computes HLO operations correctly.",
               "assay");
  app.require_subcommand(1);
  limit_memory(0);
  app.set_version_flag("--version", ASSAY_VERSION);
  CommandLine line;
  add_bounds(app, line.bounds, line.chosen);
  add_check(app, line.check, line.chosen);
  add_compare(app, line.compare, line.chosen);
  add_eval(app, line.eval, line.chosen);
  add_explain(app, line.explain, line.chosen);
  add_fmt(app, line.fmt, line.chosen);
  add_golden(app, line.golden, line.chosen);
  add_layout(app, line.layout, line.chosen);
  add_list(app, line.list, line.chosen);
  add_merge(app, line.merge, line.chosen);
  add_spec(app, line.spec, line.chosen);
  add_verify_numerics(app, line.verify_numerics, line.chosen);
  check_command(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return print_usage(app, error);
  }
  return line.chosen();
}

/// What `body` returns, or the exit code of what it throws.
template <typename Body>
int guarded(const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    return report_error(error, "", "");
  } catch (const std::bad_alloc&) {
    complain(out_of_memory());
  } catch (const std::exception& error) {
    complain(printable(std::string("internal error: ") + error.what() + "\n"));
  }
  return kBroken;
}

/// Says whether a library changed how threads compute.
void complain_of_libraries() {
  for (const std::string& note : arithmetic_notes()) {
    complain("warning: " + note + "\n");
  }
}

int guarded_run(int argc, char** argv) {
  const ReferenceArithmetic arithmetic;
  note_arithmetic(arithmetic.found(), "a library that is loaded");
  const int code = guarded([&] {
    const int done = run(argc, argv);
    flush_output();
    return done;
  });
  complain_of_libraries();
  return code;
}

/// Ends a command that a signal stops.
int end_stopped(int signal) {
  return guarded([&] {
    run_stop_actions();
    flush_output();
    complain(std::string("stopped by a signal: ") + strsignal(signal) + "\n");
    return int{kIncomplete};
  });
}

}  // namespace
}  // namespace hlo::conformance

int main(int argc, char** argv) {
  hlo::conformance::prepare_streams();
  const hlo::conformance::StopSignals signals(hlo::conformance::end_stopped);
  const int code = hlo::conformance::guarded_run(argc, argv);
  hlo::conformance::end_if_threads_run(code);
  return code;
}
