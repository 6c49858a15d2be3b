#include "backends/cpu/cpu_backend.h"

namespace hlo {
namespace {

class CpuBackend : public Backend {
 public:
  std::string name() const override { return "cpu:"; }

  Outcome run(const Module& module, std::span<const Buffer>) override {
    return Failure{
        .kind = Failure::Kind::kUnsupported,
        .rule = {},
        .message = "no operation of " + module.name + " is implemented"};
  }
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend() {
  return std::make_unique<CpuBackend>();
}

}  // namespace hlo
