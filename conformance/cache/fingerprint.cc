#include "conformance/cache/fingerprint.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>

#include "backends/process/process_backend.h"
#include "backends/registry/engine_command.h"
#include "backends/registry/make_backend.h"
#include "conformance/cache/worker_files.h"
#include "conformance/files/read_file.h"
#include "conformance/literals/content_hash.h"
#include "conformance/report/build_hash.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

/// A hash of texts, each with its length, so that none runs into the next.
class Identity {
 public:
  void add(const std::string& text) {
    hash_.add(std::to_string(text.size()) + ' ' + text + '\n');
  }

  std::string finish() { return hash_.finish(); }

 private:
  Sha256 hash_;
};

/// What tells processors of different kinds apart.
constexpr std::string_view kKinds[] = {"vendor_id",
                                       "cpu family",
                                       "model",
                                       "model name",
                                       "stepping",
                                       "microcode",
                                       "flags",
                                       "CPU implementer",
                                       "CPU architecture",
                                       "CPU variant",
                                       "CPU part",
                                       "CPU revision",
                                       "Features",
                                       "isa",
                                       "mvendorid",
                                       "marchid",
                                       "mimpid",
                                       "cpu",
                                       "revision",
                                       "machine",
                                       "features",
                                       "facilities",
                                       "Model Name",
                                       "CPU Family",
                                       "CPU Revision",
                                       "FPU Revision(s)",
                                       "uarch"};

std::string processor() {
  std::string kinds = processor_kinds(read_file("/proc/cpuinfo"));
  require_evaluable(!kinds.empty(), "file.read",
                    {"/proc/cpuinfo has no line about the processor"},
                    "the system must tell what processor it is");
  return kinds;
}

/// Adds the worker, where the backend has one.
void add_worker(const std::string& backend, Identity& identity,
                KnownFiles& files) {
  const auto made = make_backend(backend);
  const auto worker = introduction(*made);
  if (!worker) return;
  identity.add(worker->name);
  identity.add(worker->release);
  identity.add(std::filesystem::current_path().string());
  identity.add(add_group_files(files, worker->group));
  add_named_files(files, engine_command(backend).value_or(backend));
}

}  // namespace

std::string processor_kinds(const std::string& text) {
  std::set<std::string> kinds;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string key = line.substr(0, line.find(':'));
    const std::string name = key.substr(0, key.find_last_not_of(" \t") + 1);
    if (std::ranges::find(kKinds, name) != std::end(kKinds)) {
      kinds.insert(line);
    }
  }
  std::string all;
  for (const std::string& line : kinds) all += line + '\n';
  return all;
}

Fingerprint fingerprint(const std::string& backend,
                        const std::vector<std::string>& settings) {
  Fingerprint fingerprint;
  Identity identity;
  identity.add("results 1");
  identity.add(std::string(build_hash()));
  identity.add(backend);
  for (const std::string& setting : settings) identity.add(setting);
  identity.add(processor());
  identity.add(telling_variables(read_file("/proc/self/environ")));
  add_worker(backend, identity, fingerprint.files);
  add_own_files(fingerprint.files);
  identity.add(fingerprint.files.contents());
  fingerprint.name = identity.finish();
  return fingerprint;
}

}  // namespace hlo::conformance
