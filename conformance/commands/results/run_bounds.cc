#include "conformance/commands/results/run_bounds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "backends/backend.h"
#include "conformance/certify/array/existing.h"
#include "conformance/certify/array/width.h"
#include "conformance/commands/options/judging.h"
#include "conformance/commands/results/certified_results.h"
#include "conformance/commands/results/failure_report.h"
#include "conformance/commands/verified_program.h"
#include "conformance/expect/collective_call.h"
#include "conformance/files/file_use.h"
#include "conformance/files/output_folder.h"
#include "conformance/files/standard_output.h"
#include "conformance/files/terminal.h"
#include "conformance/jobs/worker.h"
#include "conformance/judge/run_case.h"
#include "conformance/levels/profile_text.h"
#include "conformance/literals/describe_scalar.h"
#include "conformance/literals/inputs.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/literals/npy.h"
#include "conformance/report/exit_code.h"
#include "interpreter/counted.h"
#include "interpreter/devices/devices.h"
#include "interpreter/rules/sizes/sizes.h"

namespace hlo::conformance {
namespace {

double widest_part(const SetTree& leaf, int64_t i, ElementType type) {
  double widest = 0;
  for (int part = 0; part < components(type); ++part) {
    widest = std::max(widest, spread(leaf.at(i, part), component_type(type)));
  }
  return widest;
}

/// The positions of the elements with the widest sets.
std::vector<int64_t> widest(const SetTree& leaf, int64_t count) {
  std::vector<int64_t> order(static_cast<size_t>(leaf.value.element_count()));
  std::iota(order.begin(), order.end(), 0);
  if (std::ssize(order) <= count) return order;
  const ElementType type = leaf.value.type();
  std::ranges::stable_sort(order, std::ranges::greater(), [&](int64_t i) {
    return widest_part(leaf, i, type);
  });
  order.resize(static_cast<size_t>(count));
  std::ranges::sort(order);
  return order;
}

/// The shape, and the sizes where it has fewer elements: "f32[<=4](3)".
std::string shape_text(const Literal& value) {
  std::string text = to_string(value.shape(), false);
  if (!value.shape().has_dynamic_dimensions()) return text;
  return fmt::format("{}({})", text, fmt::join(sizes_of(value), ","));
}

void print_leaf(const SetTree& whole, size_t number, int64_t show) {
  if (whole.is_open()) {
    say("leaf {}: {}\n  nothing is certified: {}\n", number,
        to_string(whole.value.shape(), false), whole.reason());
    return;
  }
  say("leaf {}: {}\n", number, shape_text(whole.value));
  const SetTree leaf = existing(whole);
  say("  {}\n", describe(width(leaf)));
  for (const int64_t i : widest(leaf, show)) {
    say("  {} {}\n", index_text(i, leaf.value),
        describe(leaf.element(i), leaf.value.type()));
  }
  const int64_t left = leaf.value.element_count() - show;
  if (left > 0) {
    say("  and {}; --all shows all\n",
        counted(left, "more element", "more elements"));
  }
}

void write_leaf(const SetTree& leaf, size_t number, OutputFolder& folder) {
  const std::string name = std::to_string(number);
  folder.write(name + ".npy", write_npy(leaf.value));
  if (leaf.is_open()) return;
  folder.write(name + ".low.npy", write_npy(ends(leaf, false)));
  folder.write(name + ".high.npy", write_npy(ends(leaf, true)));
}

int judge_backend(const BoundsOptions& options,
                  const std::shared_ptr<Backend>& backend,
                  const std::shared_ptr<const Module>& module,
                  const DeviceInputs& inputs,
                  const std::vector<const SetTree*>& leaves) {
  const std::vector<Literal> arguments = argument_leaves(inputs);
  const auto answer = std::make_shared<Observation>();
  const auto job = [answer, backend, module, arguments] {
    *answer = observe(*backend, *module, arguments);
  };
  Worker worker;
  if (!worker.run(job, Seconds(options.timeout))) {
    complain(fmt::format("{} no answer within {:g} s\n", options.backend,
                         options.timeout));
    return kBroken;
  }
  const auto* values = std::get_if<std::vector<Literal>>(answer.get());
  if (values == nullptr) {
    return report_failure(options.backend, std::get<Failure>(*answer));
  }
  const int code = judge_values(options.backend, leaves, *values);
  return is_all_open(leaves) ? int{kNothing} : code;
}

FileUse use_of(const BoundsOptions& options) {
  FileUse use;
  use.read(options.file);
  use.read(input_files(options.inputs));
  return use;
}

int bounds(const BoundsOptions& options, const std::string& source) {
  const Profile profile = parse_profile(options.profile);
  std::shared_ptr<Backend> backend;
  if (!options.backend.empty()) backend = chosen_backend(options.backend);
  const auto program =
      std::make_shared<const Module>(verified_program(source, options.inputs));
  const Module& module = *program;
  const DeviceInputs inputs = make_device_inputs(module, options.inputs);
  std::optional<OutputFolder> folder;
  if (!options.output.empty()) folder.emplace(options.output, use_of(options));
  const std::vector<SetTree> results = certified_results(
      module, inputs,
      {.profile = profile, .max_work = options.max_work, .jobs = options.jobs});
  const Grid grid = grid_of(module);
  constexpr int64_t kShown = 8;
  constexpr int64_t kAll = std::numeric_limits<int64_t>::max();
  const int64_t show =
      options.all ? kAll
                  : options.show.value_or(output_width() ? kShown : kAll);
  std::vector<const SetTree*> leaves;
  for (size_t i = 0; i < results.size(); ++i) {
    if (results.size() > 1) {
      const Device device = device_of(static_cast<int64_t>(i), grid);
      say("// {}\n", to_string(device));
    }
    for (const SetTree* leaf : array_leaves_of(results[i])) {
      print_leaf(*leaf, leaves.size(), show);
      if (folder) write_leaf(*leaf, leaves.size(), *folder);
      leaves.push_back(leaf);
    }
  }
  if (folder) folder->commit();
  if (backend == nullptr) return kConforms;
  return judge_backend(options, backend, program, inputs, leaves);
}

}  // namespace

int run_bounds(const BoundsOptions& options) {
  std::string source;
  try {
    source = read_program(options.file);
    return bounds(options, source);
  } catch (const Error& error) {
    return report_error(error, options.file, source);
  }
}

}  // namespace hlo::conformance
