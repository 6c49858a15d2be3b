#include "backends/registry/make_backend.h"

#include <charconv>
#include <system_error>

#include "backends/abi/abi_backend.h"
#include "backends/cpu/cpu_backend.h"
#include "backends/gpu/gpu_backend.h"
#include "backends/interpreter/interpreter_backend.h"
#include "backends/mutant/mutant_backend.h"
#include "backends/process/process_backend.h"
#include "backends/registry/engine_command.h"
#include "backends/tpu/tpu_backend.h"
#include "interpreter/error.h"
#include "interpreter/nearest.h"
#include "interpreter/shortened.h"

namespace hlo {
namespace {

constexpr std::string_view kMutant = "mutant:";
constexpr std::string_view kInterpreterThreads = "interpreter:threads=";
constexpr std::string_view kCpuThreads = "cpu:threads=";

/// The number of threads from 1 to 64 behind the prefix; 0 where there is none.
int threads_of(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return 0;
  text.remove_prefix(prefix.size());
  constexpr int kMost = 64;
  int threads = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), threads);
  const bool is_number =
      error == std::errc() && end == text.data() + text.size();
  return is_number && threads >= 1 && threads <= kMost ? threads : 0;
}

}  // namespace

std::string backend_uri(std::string_view text) {
  const bool is_bare =
      text == "cpu" || text == "gpu" || text == "tpu" || text == "interpreter";
  return std::string(text) + (is_bare ? ":" : "");
}

std::unique_ptr<Backend> make_backend(std::string_view text) {
  const std::string uri = backend_uri(text);
  if (uri == "interpreter:") return make_interpreter_backend();
  if (uri == "interpreter:definition") {
    return make_interpreter_backend(PlanSet::none());
  }
  if (const int threads = threads_of(uri, kInterpreterThreads)) {
    return make_interpreter_backend(PlanSet::all(), threads);
  }
  if (uri == "cpu:") return make_cpu_backend();
  if (const int threads = threads_of(uri, kCpuThreads)) {
    return make_cpu_backend(threads);
  }
  if (auto cpu = make_cpu_backend(uri)) return cpu;
  if (auto gpu = make_gpu_backend(uri)) return gpu;
  if (auto tpu = make_tpu_backend(uri)) return tpu;
  if (uri.starts_with(kMutant)) {
    auto mutant = make_mutant_backend(text.substr(kMutant.size()));
    if (mutant) return mutant;
  }
  if (const auto command = engine_command(uri)) {
    return make_process_backend(*command, uri);
  }
  if (auto process = make_process_backend(uri)) return process;
  if (auto library = make_abi_backend(uri)) return library;
  throw Error(Phase::kParse, "usage.backend",
              "there is no backend \"" + shortened(uri) + "\"" +
                  suggestion(uri, known_backends()) +
                  ", but it must be cpu:, cpu:threads=N (1 to 64), "
                  "cpu:?fast-math=on, gpu:, "
                  "interpreter:, interpreter:definition, "
                  "interpreter:threads=N (1 to 64), tpu:, tpu:?matrix=MODE, "
                  "tpu:?generation=NAME, tpu:?poison=SEED, "
                  "mutant:NAME, tpu-mutant:NAME (assay list --backends), "
                  "jax:PLATFORM, "
                  "stablehlo-interpreter:, iree:llvm-cpu, onnxruntime:, "
                  "process:COMMAND (assay spec protocol) or abi:LIB.so "
                  "(assay spec abi)");
}

std::vector<std::string> declared_tags(std::string_view text) {
  const std::unique_ptr<Backend> backend = make_backend(text);
  try {
    return backend->tags();
  } catch (const Error&) {  // which the first case tells
    return {};
  }
}

std::string declared_profile(std::string_view text) {
  const std::string uri = backend_uri(text);
  std::string profile(profile_of_cpu_backend(uri));
  if (profile.empty()) profile = profile_of_tpu_backend(uri);
  return profile.empty() ? "tight" : profile;
}

std::vector<std::string> known_backends() {
  std::vector<std::string> known = {"cpu:",
                                    std::string(kCpuThreads) + "N",
                                    "cpu:?fast-math=on",
                                    "gpu:",
                                    "interpreter:",
                                    "interpreter:definition",
                                    std::string(kInterpreterThreads) + "N",
                                    "tpu:",
                                    "process:COMMAND",
                                    "abi:LIB.so",
                                    "jax:PLATFORM",
                                    "stablehlo-interpreter:",
                                    "iree:llvm-cpu",
                                    "onnxruntime:"};
  for (const std::string& device : known_gpu_devices()) {
    known.push_back(device);
  }
  for (const std::string& tpu : known_tpu_backends()) known.push_back(tpu);
  for (const std::string& mutant : known_mutants()) {
    known.push_back(std::string(kMutant) + mutant);
  }
  return known;
}

std::string state_of_backend(std::string_view uri) {
  if (uri.starts_with("gpu:?")) return state_of_gpu_device(uri);
  return std::string(fault_of_tpu_backend(uri));
}

}  // namespace hlo
