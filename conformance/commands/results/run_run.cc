#include "conformance/commands/results/run_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <variant>

#include "backends/host_side.h"
#include "backends/registry/make_backend.h"
#include "conformance/commands/results/certified_results.h"
#include "conformance/commands/results/failure_report.h"
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

/// Gives the backend what programs get from the host; why it takes none of it.
std::optional<Failure> feed(Backend& backend, const HostSide& host) {
  auto* const fed = dynamic_cast<HostFed*>(&backend);
  const std::optional<std::string> why =
      fed != nullptr
          ? fed->take(host)
          : "it gets nothing from the host but the arguments of a program";
  if (!why) return std::nullopt;
  return Failure{
      .kind = Failure::Kind::kUnsupported, .rule = {}, .message = *why};
}

/// What the options give.
HostSide host_side(const RunOptions& options) {
  HostSide host;
  if (!options.infeed.empty()) {
    host.infeed = [texts = options.infeed] {
      const auto kept = std::make_shared<const std::vector<std::string>>(texts);
      return [kept, queue = make_infeed(*kept)](const Shape& shape) {
        return queue(shape);
      };
    };
  }
  if (!options.custom_calls.empty()) {
    host.custom_calls = std::make_shared<const CustomCalls>(
        load_custom_calls(options.custom_calls));
  }
  return host;
}

int run(const RunOptions& options, const std::string& source) {
  const Profile profile = parse_profile(options.profile);
  const std::shared_ptr<Backend> backend = make_backend(options.backend);
  if (!options.infeed.empty() || !options.custom_calls.empty()) {
    const auto failure = feed(*backend, host_side(options));
    if (failure) return report_failure(options.backend, *failure);
  }
  const auto module =
      std::make_shared<const Module>(verified_program(source, options.inputs));
  const DeviceInputs inputs = make_device_inputs(*module, options.inputs);
  FileUse use = files_of({options.file}, options);
  LeafOutput output(options.output, options.all, use);
  const TimedRuns timed = run_timed({.backend = backend,
                                     .module = module,
                                     .arguments = argument_leaves(inputs)},
                                    options.repeat, Seconds(options.timeout));
  tell_times(options.backend, timed);
  if (const auto* failure = std::get_if<Failure>(&timed.result)) {
    return report_failure(options.backend, *failure);
  }
  if (timed.others > 0) {
    complain(printable(fmt::format(
        "{} had other results in {} than in the first\n", options.backend,
        counted(timed.others, "later run", "later runs"))));
  }
  write_results(*module, std::get<std::vector<Literal>>(timed.result), output);
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
