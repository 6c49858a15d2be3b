#include "conformance/commands/command_line/command_line.h"

#include <cstdlib>
#include <string>

#include "conformance/commands/command_line/audit_command.h"
#include "conformance/commands/command_line/compile_command.h"
#include "conformance/commands/command_line/event_commands.h"
#include "conformance/commands/command_line/fingerprint_command.h"
#include "conformance/commands/command_line/golden_command.h"
#include "conformance/commands/command_line/shrink_command.h"
#include "conformance/commands/command_line/subcommand.h"
#include "conformance/commands/options/judging.h"
#include "conformance/commands/options/limits.h"
#include "conformance/commands/options/program_inputs.h"
#include "conformance/commands/options/reports.h"
#include "conformance/commands/options/waiving.h"
#include "conformance/commands/options/which_cases.h"
#include "conformance/commands/options/workload.h"

namespace hlo::conformance {
namespace {

void add_program(Command& command, std::string& file) {
  command.add_option("FILE", file, "the program; - reads it from stdin")
      .required();
}

/// --output and --all of a command that prints results.
template <typename Options>
void add_leaf_output(Command& command, Options& options) {
  command
      .add_option("-o,--output", options.output,
                  "print, none, digest, or a folder for .npy files")
      .type_name("WHERE")
      .capture_default_str();
  add_all(command, options.all);
}

void add_eval(Command& program, EvalOptions& options, Action& chosen) {
  Command command =
      subcommand(program,
                 {"eval", "run a program on the reference",
                  "  assay eval softmax.hlo --input '4xf32=1 2 3 4'\n"
                  "  assay eval step.mlir -i random:7 -o results/\n"},
                 chosen, [&options] { return run_eval(options); });
  add_program(command, options.file);
  add_inputs(command, options.inputs);
  add_surroundings(command, options.infeed, options.custom_calls);
  add_leaf_output(command, options);
  add_jobs(command, options.jobs);
  add_limits(command, options.max_work);
  add_plans(command, options.plans);
}

void add_explain(Command& program, ExplainOptions& options, Action& chosen) {
  Command command =
      subcommand(program,
                 {"explain", "tell where one element of a result comes from",
                  "  assay explain softmax.hlo -i '4xf32=1 2 3 4' --element "
                  "'%r[2]' --depth 2\n"},
                 chosen, [&options] { return run_explain(options); });
  add_program(command, options.file);
  add_backend(command, options.backend);
  add_inputs(command, options.inputs);
  add_surroundings(command, options.infeed, options.custom_calls);
  command
      .add_option("-e,--element", options.element,
                  "%name[1,2], or %name{0}[1,2] in a tuple; the first "
                  "element of the program's result without")
      .type_name("ELEMENT");
  command
      .add_option("--run", options.run,
                  "which run of an instruction that runs many times")
      .check(positive())
      .capture_default_str();
  command
      .add_option("--device", options.device,
                  "REPLICA or REPLICA,PARTITION; the first that runs it")
      .list(1, 2)
      .check(not_negative());
  command.add_option("--depth", options.depth, "how many instructions back")
      .check(positive())
      .capture_default_str();
  command.add_option("--terms", options.terms, "of a sum that are shown")
      .check(not_negative())
      .capture_default_str();
  add_all(command, options.all);
  add_text_output(command, options.output);
  add_plans(command, options.plans);
  add_jobs(command, options.jobs);
  add_limits(command, options.max_work);
}

void add_layout(Command& program, LayoutOptions& options, Action& chosen) {
  Command command = subcommand(
      program,
      {"layout", "draw how an array lies in memory",
       "  assay layout 'f32[3,5]{1,0:T(2,2)}'\n"
       "  assay layout 'f32[3,5]{1,0:T(2,2)}' --at 2,3 --offset 17\n"},
      chosen, [&options] { return run_layout(options); });
  command.add_option("SHAPE", options.shape, "as in f32[3,5]{1,0:T(2,2)}")
      .required();
  command.add_option("--at", options.at, "tell the slot of this index: 2,3")
      .type_name("INDEX");
  command
      .add_option("--offset", options.offsets,
                  "tell what is in this slot: an element or padding")
      .type_name("SLOT");
  command.add_option("--svg", options.svg, "file for a picture")
      .type_name("FILE");
  add_text_output(command, options.output);
  add_max_memory(command);
}

void add_fmt(Command& program, FmtOptions& options, Action& chosen) {
  Command command =
      subcommand(program,
                 {"fmt", "check programs and print them canonically",
                  "  assay fmt program.hlo\n"
                  "  assay fmt --to stablehlo program.hlo -o program.mlir\n"
                  "  assay fmt --check *.hlo\n"},
                 chosen, [&options] { return run_fmt(options); });
  command.add_option("FILE", options.files, "programs; - reads stdin")
      .required();
  command.add_flag("--check", options.check,
                   "print nothing; fail where a program is not canonical");
  command
      .add_option("--to", options.to,
                  "the language to print; that of the input by default")
      .type_name("LANGUAGE")
      .check(one_of({"hlo", "stablehlo"}));
  add_text_output(command, options.output);
  add_max_memory(command);
}

/// --shrink, --shrink-to, and the limits.
void add_shrinking(Command& command, ShrinkRequest& request) {
  command
      .add_option("--shrink", request.count,
                  "of how many that fail to find the smallest program")
      .check(not_negative())
      .capture_default_str();
  command
      .add_option("--shrink-to", request.folder,
                  "folder for the folders 1, 2, ... of these programs")
      .type_name("FOLDER")
      .capture_default_str();
  add_shrink_limits(command, request.limits.candidates, request.limits.seconds);
  for (const char* const name :
       {"--shrink-to", "--candidates", "--shrink-time"}) {
    command.option(name).needs(command.option("--shrink"));
  }
}

void add_check(Command& program, CheckOptions& options, Action& chosen) {
  Command command = subcommand(
      program,
      {"check", "judge a backend",
       "  assay check --backend cpu:\n"
       "  assay check -b process:./worker -f add -v\n"
       "  assay check -b jax:cpu --tier smoke -o run.jsonl --junit run.xml\n"},
      chosen, [&options] { return run_check(options); });
  command.add_option(
      "CASES", options.cases,
      "vector files, pages or folders, - for stdin; all without any");
  command
      .add_option("--tier", options.tier,
                  "smoke: few cases; core: all; layouts: all in drawn layouts; "
                  "full: drawn from a seed")
      .type_name("TIER")
      .check(one_of({"smoke", "core", "layouts", "full"}))
      .capture_default_str();
  add_drawing(command, options.drawing);
  add_backend(command, options.backend);
  add_filter(command, options.filter);
  add_require(command, options.require);
  add_waiving(command, options.waiving);
  add_jobs(command, options.jobs);
  add_timeout(command, options.timeout);
  add_max_memory(command);
  add_profile(command, options.profile, options.backend);
  command.add_flag("--levels", options.levels,
                   "also find the strictest level passed");
  command.add_flag("--raw", options.raw,
                   "also compare the memory of results that conform, bit by "
                   "bit without padding");
  add_reports(command, options, "file for the events, one JSON object a line");
  options.environment = [](const char* name) { return std::getenv(name); };
  command
      .add_option("--cache", options.cache,
                  "keeps results which conform or are not supported, for "
                  "later runs")
      .type_name("FOLDER");
  command.add_flag("--resume", options.resume,
                   "go on with the events of a run that ended early");
  add_shrinking(command, options.shrink);
}

void add_compare(Command& program, CompareOptions& options, Action& chosen) {
  Command command = subcommand(
      program,
      {"compare",
       "judge a backend on each instruction of programs, or a compiler",
       "  assay compare model.hlo --backend cpu: --input random:1\n"
       "  assay compare --before a.hlo --after b.hlo\n"
       "  assay compare --dump xla_dump --elided random:1\n"},
      chosen, [&options] { return run_compare(options); });
  command.add_option(
      "FILE", options.files,
      "the program, - for stdin; several, or folders: one summary");
  command
      .add_option("--before", options.before,
                  "a program, and with --after what became of it")
      .type_name("FILE");
  command
      .add_option("--after", options.after,
                  "must return what the one of --before may")
      .type_name("FILE");
  command
      .add_option("--dump", options.dump,
                  "a folder of XLA's --xla_dump_to: all such pairs in it")
      .type_name("FOLDER");
  command
      .add_option("--elided", options.elided,
                  "random:SEED: draw the constants that texts leave out")
      .type_name("SEED");
  add_backend(command, options.backend);
  add_inputs(command, options.inputs);
  add_surroundings(command, options.infeed, options.custom_calls);
  add_profile(command, options.profile, options.backend);
  add_plans(command, options.plans);
  add_jobs(command, options.jobs);
  add_limits(command, options.max_work);
  add_timeout(command, options.timeout);
  add_filter(command, options.filter);
  add_failures(command, options.failures, 1);
  add_waiving(command, options.waiving);
  add_all(command, options.all);
  add_shrinking(command, options.shrink);
  add_text_output(command, options.output);
  add_junit(command, options.junit);
}

void add_bounds(Command& program, BoundsOptions& options, Action& chosen) {
  Command command = subcommand(
      program,
      {"bounds",
       "certify what a program may return on every backend that conforms",
       "  assay bounds softmax.hlo -i '4xf32=1 2 3 4'\n"
       "  assay bounds softmax.hlo -i random:1 -b cpu: -o ranges/\n"},
      chosen, [&options] { return run_bounds(options); });
  add_program(command, options.file);
  add_inputs(command, options.inputs);
  add_profile(command, options.profile, options.backend);
  add_backend(command, options.backend);
  add_timeout(command, options.timeout);
  command.option("--timeout").needs(command.option("--backend"));
  command
      .add_option("-o,--output", options.output,
                  "folder for N.npy, N.low.npy and N.high.npy of each leaf")
      .type_name("FOLDER");
  command
      .add_option("--show", options.show,
                  "elements of each leaf to print, the widest first; 8 on a "
                  "terminal without, else all")
      .check(not_negative());
  add_all(command, options.all);
  add_jobs(command, options.jobs);
  add_limits(command, options.max_work);
}

void add_run(Command& program, RunOptions& options, Action& chosen) {
  Command command =
      subcommand(program,
                 {"run", "run a program on a backend, with times and memory",
                  "  assay run softmax.hlo -b cpu: -i random:1 --repeat 100\n"
                  "  assay run model.mlir -b jax:cpu -i random:1 -o digest "
                  "--judge\n"},
                 chosen, [&options] { return run_run(options); });
  add_program(command, options.file);
  add_backend(command, options.backend);
  add_inputs(command, options.inputs);
  add_surroundings(command, options.infeed, options.custom_calls);
  command
      .add_option("--repeat", options.repeat,
                  "how often it runs; of the runs behind the first the median "
                  "and the least time are told")
      .check(positive())
      .capture_default_str();
  command.add_flag("--in-a-row", options.in_a_row,
                   "the runs behind the first follow each other at once, and "
                   "only the last one's results are compared with the first's");
  add_leaf_output(command, options);
  command.add_flag(
      "--counts", options.counts,
      "print what the backend counts: cycles, bytes, a roofline, a "
      "table by instruction");
  command.add_flag("--judge", options.judge,
                   "judge the result by what bounds certifies");
  add_profile(command, options.profile, options.backend);
  command.option("--profile").needs(command.option("--judge"));
  add_timeout(command, options.timeout);
  add_jobs(command, options.jobs);
  add_limits(command, options.max_work);
}

void add_list(Command& program, ListOptions& options, Action& chosen) {
  Command command =
      subcommand(program,
                 {"list", "list what there is",
                  "  assay list\n"
                  "  assay list --cases -f 'pad/*/example*'\n"},
                 chosen, [&options] { return run_list(options); });
  command.add_flag("--operations", options.operations,
                   "operations, and whether they can be evaluated (default)");
  command.add_flag("--backends", options.backends, "backends");
  command.add_flag("--types", options.types, "element types");
  command.add_flag("--cases", options.cases, "cases and what they state");
  command
      .add_option("--tags", options.tags,
                  "what a backend says that it can do, and cannot")
      .type_name("URI");
  add_name_filter(command, options.filter);
  add_text_output(command, options.output);
}

void add_spec(Command& program, SpecOptions& options, Action& chosen) {
  Command command =
      subcommand(program,
                 {"spec", "print a page of the specification",
                  "  assay spec pad\n"
                  "  assay spec conformance\n"},
                 chosen, [&options] { return run_spec(options); });
  command
      .add_option("PAGE", options.operation,
                  "an operation (pad), or a chapter (layout)")
      .required();
  add_text_output(command, options.output);
}

void add_sweep(Command& program, SweepOptions& options, Action& chosen) {
  Command command = subcommand(
      program,
      {"sweep", "measure an operation of a backend on every operand",
       "  assay sweep --op exp --type f32 -b cpu: -o exp.jsonl --svg exp.svg\n"
       "  assay sweep --op tanh --type bf16 -b jax:cpu\n"
       "  assay sweep --op sine --range -1:1 -b cpu: -o s.jsonl --resume\n"},
      chosen, [&options] { return run_sweep(options); });
  command
      .add_option("--op", options.operation,
                  "an element-wise operation of one or two operands: "
                  "exponential or exp, add, ...")
      .type_name("NAME")
      .required();
  command.add_option("--type", options.type, "of operands and result")
      .type_name("TYPE")
      .capture_default_str();
  add_backend(command, options.backend);
  command
      .add_option("--range", options.range,
                  "LOW:HIGH: only these operands, as in -1:0.5")
      .type_name("RANGE");
  add_profile(command, options.profile, options.backend);
  command
      .add_option("-o,--output", options.output,
                  "file for the tally of each chunk, one JSON object a line")
      .type_name("FILE");
  command.add_option("--svg", options.svg, "file for a picture")
      .type_name("FILE");
  command.add_flag("--resume", options.resume,
                   "go on with the events of a run that ended early");
  add_jobs(command, options.jobs);
  add_timeout(command, options.timeout);
  add_max_memory(command);
}

void add_verify_numerics(Command& program, VerifyNumericsOptions& options,
                         Action& chosen) {
  Command command = subcommand(
      program,
      {"verify-numerics", "prove the reference's functions by rivals",
       "  assay verify-numerics --function exp --blocks 64\n"},
      chosen, [&options] { return run_verify_numerics(options); });
  command
      .add_option("--function", options.functions,
                  "exp, log1p, ...; all without any")
      .type_name("NAME");
  add_name_filter(command, options.filter);
  constexpr int64_t kAllBlocks = 4096;
  command
      .add_option("--blocks", options.blocks,
                  "of f32 arguments for each function; 4096 are all")
      .check(number(int64_t{1}, kAllBlocks))
      .capture_default_str();
  command.add_flag("!--no-rival", options.rival,
                   "compare with the committed checksums only");
  command
      .add_option("--hard", options.hard_cases,
                  "f64 arguments that are hard to round, for each function")
      .check(not_negative())
      .capture_default_str();
  command.add_flag("--codes", options.codes,
                   "all arguments of types of at most 16 bits (of two: 8) "
                   "against MPFR as well");
  command.add_flag("--pairs", options.pairs,
                   "add and multiply all pairs of f16 and of bf16 as well");
  command
      .add_option("--battery", options.battery,
                  "print checksums of a fixed battery instead, with so many "
                  "inputs of each part")
      .check(not_negative());
  command
      .add_option("--write", options.write,
                  "folder for the checksums of functions that agree with "
                  "their rival everywhere")
      .type_name("FOLDER");
  add_jobs(command, options.jobs);
  add_max_memory(command);
}

}  // namespace

void add_commands(Command& program, CommandLine& line) {
  add_audit(program, line.audit, line.chosen);
  add_bounds(program, line.bounds, line.chosen);
  add_check(program, line.check, line.chosen);
  add_compare(program, line.compare, line.chosen);
  add_compile(program, line.compile, line.chosen);
  add_eval(program, line.eval, line.chosen);
  add_explain(program, line.explain, line.chosen);
  add_fingerprint(program, line.fingerprint, line.chosen);
  add_fmt(program, line.fmt, line.chosen);
  add_golden(program, line.golden, line.chosen);
  add_history(program, line.history, line.chosen);
  add_layout(program, line.layout, line.chosen);
  add_list(program, line.list, line.chosen);
  add_merge(program, line.merge, line.chosen);
  add_report(program, line.report, line.chosen);
  add_run(program, line.run, line.chosen);
  add_shrink(program, line.shrink, line.chosen);
  add_spec(program, line.spec, line.chosen);
  add_sweep(program, line.sweep, line.chosen);
  add_trend(program, line.trend, line.chosen);
  add_verify_numerics(program, line.verify_numerics, line.chosen);
}

}  // namespace hlo::conformance
