#include "conformance/commands/command_line/fingerprint_command.h"

#include "conformance/commands/options/judging.h"
#include "conformance/commands/options/limits.h"

namespace hlo::conformance {
namespace {

/// --op, --type and --terms.
void add_sums(Command& command, FingerprintOptions& options) {
  constexpr int64_t kMostTerms = 4096;
  command
      .add_option("--op", options.operations,
                  "dot, convolution, reduce, reduce-window, cumulative-sum; "
                  "all without any")
      .type_name("NAME")
      .check(one_of(
          {"dot", "convolution", "reduce", "reduce-window", "cumulative-sum"}));
  command
      .add_option("--type", options.types,
                  "of operands: f32, f64, bf16, f16, f8e4m3fn, f8e5m2; all "
                  "without any")
      .type_name("TYPE")
      .check(one_of({"f32", "f64", "bf16", "f16", "f8e4m3fn", "f8e5m2"}));
  command
      .add_option("--length", options.terms,
                  "how many terms sums have; may be given several times")
      .type_name("N")
      .check(number(int64_t{1}, kMostTerms));
  command.add_flag("--full", options.full,
                   "all types of all operations, and sums of 1 to 33, 64, "
                   "127 to 129, 256, 512, 1024 and 4096 terms");
}

}  // namespace

void add_fingerprint(Command& program, FingerprintOptions& options,
                     Action& chosen) {
  Command command = subcommand(
      program,
      {"fingerprint", "find out in which order and how a backend sums",
       "  assay fingerprint -b cpu:\n"
       "  assay fingerprint -b jax:cpu --op dot --type f32 --length 64 -o "
       "f.json\n"},
      chosen, [&options] { return run_fingerprint(options); });
  add_backend(command, options.backend);
  add_sums(command, options);
  command
      .add_option("--sums", options.sums,
                  "how many sums of drawn terms the model must give bit for "
                  "bit, of the most terms")
      .check(number(int64_t{1}, int64_t{1} << 30))
      .capture_default_str();
  command
      .add_option("--repeats", options.repeats,
                  "how often a call is made that must give the same bits")
      .check(positive())
      .capture_default_str();
  command
      .add_option("-o,--output", options.output,
                  "file for all that was found, JSON")
      .type_name("FILE");
  add_timeout(command, options.timeout);
  add_max_memory(command);
}

}  // namespace hlo::conformance
