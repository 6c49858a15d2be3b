#include "conformance/commands/results/run_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>

#include "conformance/commands/options/judging.h"
#include "conformance/commands/results/certified_results.h"
#include "conformance/commands/results/failure_report.h"
#include "conformance/commands/results/host_feed.h"
#include "conformance/commands/results/leaf_output.h"
#include "conformance/commands/results/timed_runs.h"
#include "conformance/commands/verified_program.h"
#include "conformance/expect/collective_call.h"
#include "conformance/files/file_use.h"
#include "conformance/files/standard_output.h"
#include "conformance/levels/profile_text.h"
#include "conformance/report/exit_code.h"
#include "interpreter/counted.h"
#include "interpreter/devices/devices.h"

namespace hlo::conformance {
namespace {

std::string memory_text(const TimedRuns& timed) {
  constexpr double kMiB = 1 << 20;
  if (!timed.memory) return "peak memory not known";
  std::string text = fmt::format("peak memory {:.1f} MiB",
                                 static_cast<double>(*timed.memory) / kMiB);
  if (timed.memory_before) {
    text += fmt::format(" of the whole process, {:.1f} MiB before",
                        static_cast<double>(*timed.memory_before) / kMiB);
  }
  return text;
}

/// Times differ from run to run: they are no part of the result.
void tell_times(const std::string& backend, const TimedRuns& timed) {
  std::string text = backend;
  if (timed.start) text += " start " + time_text(*timed.start) + ",";
  text += timed.compile ? " compile " + time_text(*timed.compile)
                        : std::string(" compile not separate");
  if (!timed.runs.empty()) {
    text += ", first run " + time_text(timed.runs.front());
    const std::vector<double> later(timed.runs.begin() + 1, timed.runs.end());
    if (!later.empty()) {
      text += fmt::format(", {}: median {}, least {}",
                          counted(std::ssize(later), "later run", "later runs"),
                          time_text(median(later)),
                          time_text(*std::ranges::min_element(later)));
    }
  }
  complain(printable(text + ", " + memory_text(timed) + "\n"));
}

/// Writes the leaves of one device after the other.
void write_results(const Module& module, const std::vector<Literal>& leaves,
                   LeafOutput& output) {
  const auto devices = static_cast<size_t>(device_count(module));
  const size_t each = leaves.size() / devices;
  const Grid grid = grid_of(module);
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (each > 0 && i % each == 0 && devices > 1 && output.speaks()) {
      say(heading("", device_of(static_cast<int64_t>(i / each), grid)));
    }
    output.write(leaves[i]);
  }
}

int judge_results(const RunOptions& options, const Module& module,
                  const DeviceInputs& inputs, const Profile& profile,
                  const TimedRuns& timed) {
  const std::vector<SetTree> sets = certified_results(
      module, inputs,
      {.profile = profile, .max_work = options.max_work, .jobs = options.jobs});
  const std::vector<const SetTree*> leaves = array_leaves_of(sets);
  for (size_t k = 0; k < leaves.size(); ++k) {
    if (!leaves[k]->is_open()) continue;
    say("leaf {}: nothing is certified: {}\n", k, leaves[k]->reason());
  }
  if (is_all_open(leaves)) return kNothing;
  int code = judge_values(options.backend, leaves,
                          std::get<std::vector<Literal>>(timed.result));
  if (timed.other) {
    say("another run of the same\n");
    code = std::max(code,
                    judge_values(options.backend, leaves,
                                 std::get<std::vector<Literal>>(*timed.other)));
  }
  return code;
}

/// What the first run writes for the host. Threads that are left alone may
/// still write.
struct FirstOutfeed {
  std::mutex mutex;
  bool has_begun = false;
  std::vector<Outfed> values;
};

HostSide::Sink sink_of_run(const std::shared_ptr<FirstOutfeed>& first) {
  const std::scoped_lock lock(first->mutex);
  if (std::exchange(first->has_begun, true)) {
    return [](const Device&, const Literal&) {};
  }
  return [first](const Device& device, Literal value) {
    const std::scoped_lock inner(first->mutex);
    first->values.push_back({device, std::move(value)});
  };
}

/// What the options give.
HostSide host_side(const RunOptions& options) {
  HostSide host;
  host.infeed = infeed_queues(options.infeed);
  if (!options.custom_calls.empty()) {
    host.custom_calls = std::make_shared<const CustomCalls>(
        load_custom_calls(options.custom_calls));
  }
  return host;
}

int run(const RunOptions& options, const std::string& source) {
  const Profile profile = parse_profile(options.profile);
  const std::shared_ptr<Backend> backend = chosen_backend(options.backend);
  const auto outfeed = std::make_shared<FirstOutfeed>();
  HostSide host = host_side(options);
  host.outfeed = [outfeed] { return sink_of_run(outfeed); };
  if (const auto failure = feed(*backend, host)) {
    return report_failure(options.backend, *failure);
  }
  const auto module =
      std::make_shared<const Module>(verified_program(source, options.inputs));
  const DeviceInputs inputs = make_device_inputs(*module, options.inputs);
  FileUse use = files_of({options.file}, options);
  LeafOutput output(options.output, options.all, use);
  const TimedRuns timed =
      run_timed({.backend = backend,
                 .module = module,
                 .arguments = argument_leaves(inputs)},
                options.repeat, Seconds(options.timeout),
                options.in_a_row ? Looks::kAfterTheLast : Looks::kAfterEach);
  tell_times(options.backend, timed);
  if (const auto* failure = std::get_if<Failure>(&timed.result)) {
    const int code = report_failure(options.backend, *failure);
    if (timed.runs.empty()) return code;
    complain(fmt::format("it had run {} before\n",
                         counted(std::ssize(timed.runs), "time")));
    return code == kNothing ? int{kBroken} : code;
  }
  if (timed.others > 0) {
    complain(printable(fmt::format(
        "{} had other results in {} than in the first\n", options.backend,
        counted(timed.others, "later run", "later runs"))));
  }
  if (options.counts && !timed.counts) {
    complain(printable(options.backend + " does not count what it does\n"));
    return kNothing;
  }
  write_results(*module, std::get<std::vector<Literal>>(timed.result), output);
  write_outfeed(outfeed->values, output);
  if (options.counts) say(printable(*timed.counts));
  output.commit();
  if (!options.judge) return kConforms;
  return judge_results(options, *module, inputs, profile, timed);
}

}  // namespace

int run_run(const RunOptions& options) {
  std::string source;
  try {
    source = read_program(options.file);
    return run(options, source);
  } catch (const Error& error) {
    return report_error(error, options.file, source);
  }
}

}  // namespace hlo::conformance
