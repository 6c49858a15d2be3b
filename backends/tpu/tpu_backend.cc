#include "backends/tpu/tpu_backend.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "backends/element_teller.h"
#include "backends/host_side.h"
#include "backends/tpu/tpu_options.h"
#include "backends/tpu/tpu_program.h"
#include "interpreter/error.h"

namespace hlo {
namespace {

constexpr std::string_view kMutant = "tpu-mutant:";
/// So little that small cases are split.
constexpr int64_t kScratchOfMutants = int64_t{1} << 18;

class TpuBackend final : public Backend, public HostFed, public ElementTeller {
 public:
  TpuBackend(std::string name, const tpu::Options& options,
             tpu::Fault fault = tpu::Fault::kNone)
      : name_(std::move(name)), options_(options), fault_(fault) {}

  std::string name() const override { return name_; }

  std::optional<std::string> take(const HostSide& host) override {
    host_ = host;
    return std::nullopt;
  }

  std::variant<ToldElement, Failure> tell(const Module& module,
                                          std::span<const Buffer> arguments,
                                          const AskedElement& asked) override {
    try {
      return tpu::Program(module, options_, fault_, host_)
          .tell(arguments, asked);
    } catch (const Error& error) {
      return to_failure(error);
    } catch (const std::bad_alloc&) {
      return Failure{Failure::Kind::kError, "", "there is not enough memory"};
    }
  }

  Outcome run(const Module& module,
              std::span<const Buffer> arguments) override {
    try {
      return tpu::Program(module, options_, fault_, host_).run(arguments);
    } catch (const Error& error) {
      return to_failure(error);
    }
  }

  std::unique_ptr<Executable> compile(const Module& module) override {
    return std::make_unique<tpu::Program>(module, options_, fault_, host_);
  }

 private:
  std::string name_;
  tpu::Options options_;
  tpu::Fault fault_;
  HostSide host_;
};

}  // namespace

std::unique_ptr<Backend> make_tpu_backend(std::string_view uri) {
  if (uri.starts_with("tpu:")) {
    return std::make_unique<TpuBackend>(std::string(uri), tpu::options_of(uri));
  }
  if (!uri.starts_with(kMutant)) return nullptr;
  const auto fault = tpu::fault_named(uri.substr(kMutant.size()));
  if (!fault) return nullptr;
  tpu::Options options;
  options.scratch = kScratchOfMutants;
  return std::make_unique<TpuBackend>(std::string(uri), options, *fault);
}

std::vector<std::string> known_tpu_backends() {
  std::vector<std::string> known = tpu::known_uris();
  for (const tpu::FaultRow& row : tpu::fault_rows()) {
    known.push_back(std::string(kMutant) + std::string(row.name));
  }
  return known;
}

std::string_view fault_of_tpu_backend(std::string_view uri) {
  if (!uri.starts_with(kMutant)) return {};
  const auto rows = tpu::fault_rows();
  const auto found =
      std::ranges::find(rows, uri.substr(kMutant.size()), &tpu::FaultRow::name);
  return found == rows.end() ? std::string_view() : found->what;
}

std::string profile_of_tpu_backend(std::string_view uri) {
  if (!uri.starts_with("tpu:")) return {};
  // In the order of MatrixMode: how many products of bf16 make one of f32.
  constexpr std::array<std::string_view, 5> kPasses = {"", "bf16x1", "bf16x3",
                                                       "bf16x6", "bf16x9"};
  const auto mode = static_cast<size_t>(tpu::options_of(uri).matrix);
  const std::string passes(kPasses.at(mode));
  if (passes.empty()) return "tight";
  return "tight,accumulation=" + passes + ",subnormals=daz";
}

}  // namespace hlo
