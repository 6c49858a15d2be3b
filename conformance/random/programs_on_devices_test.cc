#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backends/host_side.h"
#include "backends/registry/make_backend.h"
#include "conformance/judge/prepared_case.h"
#include "conformance/random/random_program.h"
#include "conformance/random/testing/run_program.h"
#include "interpreter/error.h"
#include "interpreter/rules/sizes/sizes.h"
#include "interpreter/verify/verify.h"

// Random programs as a whole on the devices of gpu: that are here.

namespace hlo::conformance {
namespace {

uint64_t number_of(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// A backend, or null where its device is not here.
std::unique_ptr<Backend> device(const std::string& uri) {
  try {
    return make_backend(uri);
  } catch (const Error&) {
    return nullptr;
  }
}

/// How the program ends on the backend: its leaves, or why there are none.
Observation run_on(Backend& backend, const Module& module,
                   const ProgramInputs& inputs) {
  HostSide host;
  host.infeed = [&inputs] {
    return [queue = inputs.infeed](const Shape&) mutable {
      if (queue.empty()) {
        refuse(Phase::kEvaluate, "infeed.empty", {"all values are read"},
               "there must be one more");
      }
      Literal next = std::move(queue.front());
      queue.pop_front();
      return next;
    };
  };
  EXPECT_EQ(dynamic_cast<HostFed&>(backend).take(host), std::nullopt);
  std::vector<Literal> leaves;
  for (const std::vector<Literal>& own : inputs.arguments) {
    std::ranges::move(array_leaves(own), std::back_inserter(leaves));
  }
  return observe(backend, module, leaves);
}

/// What does not run is counted by its reason.
using Reasons = std::map<std::string, int64_t>;

/// Whether the program ran; or what it is refused for is counted.
bool has_run(const Observation& seen, Reasons& reasons) {
  const auto* failure = std::get_if<Failure>(&seen);
  if (failure == nullptr) return true;
  EXPECT_EQ(failure->kind, Failure::Kind::kUnsupported) << failure->message;
  ++reasons[failure->message];
  return false;
}

/// Elements past the sizes at run time may be any.
void expect_same(const Observation& seen, const std::vector<Literal>& expected,
                 const std::string& where) {
  const auto& leaves = std::get<std::vector<Literal>>(seen);
  ASSERT_EQ(leaves.size(), expected.size()) << where;
  for (size_t k = 0; k < leaves.size(); ++k) {
    if (!expected[k].shape().is_array()) continue;
    EXPECT_TRUE(identical(trimmed(leaves[k], sizes_of(expected[k])),
                          trimmed(expected[k], sizes_of(expected[k]))))
        << "result " << k << " differs on " << where;
  }
}

class ProgramsOnDevices : public testing::Test {
 protected:
  ~ProgramsOnDevices() override {
    for (const auto& [reason, count] : reasons_) {
      fmt::print("{} programs: {}\n", count, reason);
    }
  }

  /// Calls `check` with each program and its seed, or with every `part`-th one.
  template <typename Check>
  void for_programs(const Check& check, uint64_t part = 1) {
    const uint64_t first = number_of("ASSAY_RANDOM_SEED", 0);
    const uint64_t count = number_of("ASSAY_RANDOM_PROGRAMS", 200);
    for (uint64_t seed = first; seed < first + count; seed += part) {
      const std::string source = random_program(seed);
      SCOPED_TRACE(fmt::format("seed {}\n{}", seed, source));
      const Module module = verified_module(source);
      check(module, seed);
    }
  }

  Reasons reasons_;
};

// Bit for bit, where numbers are exact.
TEST_F(ProgramsOnDevices, GiveTheBitsOfTheReference) {
  std::vector<std::unique_ptr<Backend>> devices;
  for (const char* uri : {"gpu:?device=fibers", "gpu:?device=opencl"}) {
    if (auto own = device(uri)) devices.push_back(std::move(own));
  }
  for_programs([&](const Module& module, uint64_t seed) {
    const ProgramRun expected = run_program(module, seed);
    const ProgramInputs inputs = inputs_of(module, seed);
    for (const auto& own : devices) {
      const Observation seen = run_on(*own, module, inputs);
      if (!expected.rule.empty()) {
        const auto* failure = std::get_if<Failure>(&seen);
        EXPECT_TRUE(failure != nullptr && failure->rule == expected.rule)
            << own->name() << " does not find " << expected.message;
      } else if (has_run(seen, reasons_)) {
        expect_same(seen, array_leaves(expected.grid.results), own->name());
      }
    }
  });
}

/// Both end the program alike, whatever it gives.
void expect_alike(Backend& one, Backend& other, const Module& module,
                  uint64_t seed) {
  const ProgramInputs inputs = inputs_of(module, seed);
  const Observation expected = run_on(one, module, inputs);
  const Observation seen = run_on(other, module, inputs);
  ASSERT_EQ(expected.index(), seen.index());
  if (const auto* leaves = std::get_if<std::vector<Literal>>(&expected)) {
    expect_same(seen, *leaves, other.name());
  } else {
    EXPECT_EQ(std::get<Failure>(expected).message,
              std::get<Failure>(seen).message);
  }
}

// One source of kernels: fast numbers are the same on each device, too.
TEST_F(ProgramsOnDevices, GiveTheSameFastBitsOnEach) {
  const auto fibers = device("gpu:?device=fibers&numerics=fast");
  const auto opencl = device("gpu:?device=opencl&numerics=fast");
  if (opencl == nullptr) GTEST_SKIP() << "there is no OpenCL device";
  for_programs([&](const Module& module, uint64_t seed) {
    expect_alike(*fibers, *opencl, module, seed);
  });
}

// A driver takes seconds for the kernels of each program: some of them.
TEST_F(ProgramsOnDevices, GiveTheSameBitsByGeneratedKernels) {
  for (const std::string numerics : {"&numerics=exact", "&numerics=fast"}) {
    const auto fibers = device("gpu:?device=fibers" + numerics);
    const auto opencl =
        device("gpu:?device=opencl&kernels=generated" + numerics);
    if (opencl == nullptr) GTEST_SKIP() << "there is no OpenCL device";
    for_programs(
        [&](const Module& module, uint64_t seed) {
          expect_alike(*fibers, *opencl, module, seed);
        },
        20);
  }
}

}  // namespace
}  // namespace hlo::conformance
