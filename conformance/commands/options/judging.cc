#include "conformance/commands/options/judging.h"

#include "backends/registry/make_backend.h"

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

void add_profile(Command& command, std::string& profile) {
  command
      .add_option("-p,--profile", profile,
                  "what conforms: LEVEL[,AXIS=CHOICE]..., as in "
                  "opencl-full,subnormals=daz+ftz (assay spec conformance)")
      .type_name("LEVEL")
      .capture_default_str();
}

}  // namespace hlo::conformance
