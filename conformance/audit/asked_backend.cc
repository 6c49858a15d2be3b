#include "conformance/audit/asked_backend.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

#include "conformance/judge/prepared_case.h"
#include "interpreter/devices/devices.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/sizes/sizes.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// While it lives, this thread and the processes that it starts use only the
/// first cores of those that they may use.
class OnCores {
 public:
  explicit OnCores(int count) {
    is_set_ = count > 0 && sched_getaffinity(0, sizeof before_, &before_) == 0;
    if (!is_set_) return;
    cpu_set_t some;
    CPU_ZERO(&some);
    for (int core = 0; core < CPU_SETSIZE && count > 0; ++core) {
      if (!CPU_ISSET(core, &before_)) continue;
      CPU_SET(core, &some);
      --count;
    }
    sched_setaffinity(0, sizeof some, &some);
  }

  ~OnCores() {
    if (is_set_) sched_setaffinity(0, sizeof before_, &before_);
  }

  OnCores(const OnCores&) = delete;
  OnCores& operator=(const OnCores&) = delete;

 private:
  bool is_set_ = false;
  cpu_set_t before_{};
};

size_t place_of(const Buffer& buffer) {
  return reinterpret_cast<uintptr_t>(buffer.bytes.data()) % kCacheLine;
}

/// Copies the buffer to such a place; where memory of that size always begins
/// at another one, it stays.
void move_to(Buffer& buffer, size_t place) {
  constexpr size_t kMostTries = 256;
  constexpr size_t kStep = 16;  // of the places that memory begins at
  std::vector<Bytes> elsewhere;
  for (size_t i = 0; i < kMostTries && place_of(buffer) != place; ++i) {
    // What is kept between two tries lets the next one begin elsewhere.
    elsewhere.push_back(Bytes::any(kStep * (1 + i % 7)));
    Bytes bytes = buffer.bytes;
    elsewhere.push_back(std::exchange(buffer.bytes, std::move(bytes)));
  }
}

}  // namespace

/// A backend, for threads that may be left alone.
struct AskedBackend::State {
  std::unique_ptr<Backend> backend;
};

struct AskedBackend::Job {
  Program program;
  Module module;
  std::vector<Buffer> arguments;
  std::shared_ptr<State> state;  // of which `executable` is
  std::unique_ptr<Executable> executable;
  std::optional<Failure> failure;  // of compiling
  /// What the reference gives, where that has dynamic dimensions.
  std::vector<Literal> sized;
  std::vector<Observation> observations;
};

namespace {

void compile_on(Backend& backend, AskedBackend::Job& job) {
  auto made = guarded_compile(backend, job.module);
  if (auto* failure = std::get_if<Failure>(&made)) {
    job.failure = std::move(*failure);
  } else {
    job.executable = std::get<std::unique_ptr<Executable>>(std::move(made));
  }
}

bool has_dynamic_dimensions(const Module& module) {
  return std::ranges::any_of(result_shapes(module), [](const Shape& shape) {
    return shape.has_dynamic_dimensions();
  });
}

/// What the reference gives, whose sizes memory may not tell; nothing where it
/// gives none.
std::vector<Literal> sized_results(const Module& module,
                                   const std::vector<Literal>& inputs) {
  if (!has_dynamic_dimensions(module)) return {};
  try {
    return array_leaves(
        evaluate_devices(module, device_arguments(module, inputs)).results);
  } catch (const Error&) {
    return {};
  }
}

/// The result with zeros past its sizes, where what comes does not matter.
Observation without_rest(Observation observation,
                         const std::vector<Literal>& sized) {
  auto* const leaves = std::get_if<std::vector<Literal>>(&observation);
  if (leaves == nullptr || leaves->size() != sized.size()) return observation;
  for (size_t k = 0; k < sized.size(); ++k) {
    Literal& leaf = (*leaves)[k];
    if (!compatible(leaf.shape(), sized[k].shape(), true)) continue;
    const bool tells = leaf.shape().has_dynamic_dimensions();
    const Shape shape = leaf.shape();
    const Ints sizes = sizes_of(tells ? leaf : sized[k]);
    leaf = in_bounds(trimmed(leaf, sizes), tells ? shape : sized[k].shape())
               .with_shape(shape);
    if (!tells) leaf.set_dynamic_sizes(shape.dims);
  }
  return observation;
}

Observation seen(const AskedBackend::Job& job, const Outcome& outcome) {
  try {
    return without_rest(observed(job.module, outcome), job.sized);
  } catch (const Error& error) {
    return to_failure(error);
  }
}

}  // namespace

AskedBackend::AskedBackend(MakeBackend make, Seconds most, int cores)
    : make_(std::move(make)), most_(most), cores_(cores) {
  begin();
}

AskedBackend::~AskedBackend() = default;

void AskedBackend::begin() {
  state_ = std::make_shared<State>();
  state_->backend = make_();
}

Observation AskedBackend::late() const {
  return Failure{
      .kind = Failure::Kind::kCrashed,
      .rule = {},
      .message = fmt::format("no answer within {:g} s", most_.count())};
}

std::shared_ptr<AskedBackend::Job> AskedBackend::compile(const Program& program,
                                                         size_t place) {
  auto job = std::make_shared<Job>();
  job->program = program;
  job->module = verified_module(program.hlo);
  job->arguments = stored(job->module, program.inputs);
  job->sized = sized_results(job->module, program.inputs);
  for (Buffer& argument : job->arguments) move_to(argument, place);
  job->state = state_;
  const auto task = [job, cores = cores_] {
    const OnCores on_cores(cores);
    compile_on(*job->state->backend, *job);
  };
  if (worker_.run(task, most_)) return job;
  begin();
  auto late_job = std::make_shared<Job>();
  late_job->state = state_;
  late_job->failure = std::get<Failure>(late());
  return late_job;
}

Observation AskedBackend::run(std::shared_ptr<Job>& job) {
  return run_together(job, 1).front();
}

std::vector<Observation> AskedBackend::run_together(std::shared_ptr<Job>& job,
                                                    size_t count) {
  if (!job->failure && job->state != state_) job = compile(job->program);
  if (job->failure) {
    std::vector<Observation> alike(count, *job->failure);
    return alike;
  }
  job->observations.clear();
  const auto task = [job = job, count, cores = cores_] {
    const OnCores on_cores(cores);
    Backend& backend = *job->state->backend;
    if (count == 1) {
      job->observations.push_back(
          seen(*job, job->executable
                         ? guarded_run(*job->executable, job->arguments)
                         : guarded_run(backend, job->module, job->arguments)));
      return;
    }
    const std::vector<Call> calls(
        count, {.module = &job->module, .arguments = job->arguments});
    for (const Outcome& outcome : guarded_run_all(backend, calls)) {
      job->observations.push_back(seen(*job, outcome));
    }
  };
  if (worker_.run(task, most_)) return job->observations;
  begin();
  std::vector<Observation> alike(count, late());
  return alike;
}

bool is_placed(const AskedBackend::Job& job, size_t place) {
  return std::ranges::all_of(job.arguments, [&](const Buffer& argument) {
    return argument.bytes.empty() || place_of(argument) == place;
  });
}

int usable_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

}  // namespace hlo::conformance
