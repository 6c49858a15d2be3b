#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "conformance/commands.h"
#include "conformance/commands/program.h"
#include "conformance/digest.h"
#include "conformance/inputs.h"
#include "conformance/npy.h"
#include "conformance/sources/files.h"
#include "interpreter/devices.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify.h"

namespace hlo::conformance {
namespace {

namespace fs = std::filesystem;

bool is_folder(const std::string& output) {
  return output != "print" && output != "none" && output != "digest";
}

/// Refuses a folder that cannot be written to before anything is computed.
void prepare_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder)) {
    throw Error(Phase::kEvaluate, "file.write",
                "cannot make the folder " + folder);
  }
  const std::string probe = folder + "/.probe";
  check_writable(probe);
  fs::remove(probe, error);
}

/// "f32[2] {1, 2}", "f32[<=3](2) {1, 2}", "token[]".
std::string leaf_text(const Literal& leaf) {
  std::string shape = to_string(leaf.shape());
  if (!leaf.shape().is_array()) return shape;
  const bool sized = !leaf.dynamic_sizes().empty();
  return shape + (sized ? "" : " ") + text::print(leaf);
}

void write_leaf(const Literal& leaf, size_t number, const std::string& output) {
  if (output == "print") {
    std::fputs((leaf_text(leaf) + "\n").c_str(), stdout);
  } else if (output == "digest") {
    const std::string line = digest(leaf) + "  " + to_string(leaf.shape());
    std::fputs((line + "\n").c_str(), stdout);
  } else if (is_folder(output) && leaf.shape().is_array()) {
    write_file(output + "/" + std::to_string(number) + ".npy", write_npy(leaf));
  }
}

/// "// replica 0, partition 1".
std::string heading(std::string_view what, const Device& device) {
  return "// " + std::string(what) + "replica " +
         std::to_string(device.replica) + ", partition " +
         std::to_string(device.partition) + "\n";
}

void write_results(const Module& module, const GridResult& run,
                   const std::string& output) {
  const Grid grid{module.replica_count, module.num_partitions};
  const bool speaks = output == "print" || output == "digest";
  size_t number = 0;
  for (size_t i = 0; i < run.results.size(); ++i) {
    if (speaks && run.results.size() > 1) {
      const Device device = device_of(static_cast<int64_t>(i), grid);
      std::fputs(heading("", device).c_str(), stdout);
    }
    for (const Literal* leaf : leaves(run.results[i])) {
      write_leaf(*leaf, number++, output);
    }
  }
  if (!speaks) return;
  for (const Outfed& value : run.outfeed) {
    std::fputs(heading("outfeed of ", value.device).c_str(), stdout);
    for (const Literal* leaf : leaves(value.value)) {
      write_leaf(*leaf, number++, output);
    }
  }
}

void evaluate_program(const EvalOptions& options, const std::string& source) {
  const Module module = verified_module(source);
  std::vector<std::vector<Literal>> inputs =
      make_device_inputs(module, options.inputs);
  if (is_folder(options.output)) prepare_folder(options.output);
  EvaluatorOptions evaluation;
  evaluation.threads = options.threads;
  evaluation.max_steps = options.max_steps;
  const GridResult run =
      evaluate_devices(module, std::move(inputs), evaluation);
  write_results(module, run, options.output);
  if (std::fflush(stdout) != 0) {
    throw Error(Phase::kEvaluate, "file.write", "cannot write the results");
  }
}

}  // namespace

int run_eval(const EvalOptions& options) {
  std::string source;
  try {
    source = read_program(options.file);
    evaluate_program(options, source);
    return kConforms;
  } catch (const Error& error) {
    return report_error(error, options.file, source);
  }
}

}  // namespace hlo::conformance
