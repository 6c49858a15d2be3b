#include "conformance/commands/options/judging.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "backends/registry/make_backend.h"
#include "conformance/files/printable.h"
#include "conformance/files/standard_output.h"
#include "conformance/levels/profile_text.h"
#include "conformance/report/summary.h"

namespace hlo::conformance {

void add_backend(Command& command, std::string& backend) {
  command
      .add_option("-b,--backend", backend,
                  "who is judged: cpu:, jax:cpu, process:COMMAND, ... (assay "
                  "list --backends)")
      .type_name("URI")
      .transform([](const std::string& text) { return backend_uri(text); })
      .capture_default_str();
}

std::unique_ptr<Backend> chosen_backend(const std::string& uri) {
  std::unique_ptr<Backend> backend = make_backend(uri);
  const std::string remark = backend->remark();
  if (!remark.empty()) complain("note: " + printable(remark) + "\n");
  return backend;
}

void use_declared_profile(const Command& command, std::string& profile,
                          const std::string& backend) {
  // With --exact the reference counts, with compilers what these may do.
  constexpr std::array kOthers = {"--profile", "--exact", "--before", "--dump"};
  const bool is_given = std::ranges::any_of(
      kOthers, [&](const char* name) { return command.has(name); });
  if (is_given) return;
  const std::string declared = declared_profile(backend);
  if (declared != "tight") profile = declared;
}

std::string judging_words(const std::string& profile,
                          const std::string& backend, double timeout) {
  constexpr double kTimeout = 60;
  std::string words;
  if (parse_profile(profile) != parse_profile(declared_profile(backend))) {
    words += " --profile " + shell_quoted(profile);
  }
  if (timeout != kTimeout) words += fmt::format(" --timeout {:g}", timeout);
  return words;
}

void add_profile(Command& command, std::string& profile,
                 const std::string& backend) {
  command.when_read([command, &profile, &backend] {
    use_declared_profile(command, profile, backend);
  });
  command
      .add_option("-p,--profile", profile,
                  "what conforms: LEVEL[,AXIS=CHOICE]..., as in "
                  "opencl-full,subnormals=daz+ftz (assay spec conformance)")
      .type_name("LEVEL")
      .capture_default_str();
}

}  // namespace hlo::conformance
