#include "conformance/commands/compiling/run_compile.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "backends/backend.h"
#include "conformance/commands/options/judging.h"
#include "conformance/commands/results/failure_report.h"
#include "conformance/commands/results/timed_runs.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/output_into.h"
#include "conformance/files/standard_output.h"
#include "conformance/jobs/worker.h"
#include "conformance/report/exit_code.h"

namespace hlo::conformance {
namespace {

/// What a thread that may be left alone works on.
struct Job {
  std::shared_ptr<Backend> backend;
  std::shared_ptr<const Module> module;
  std::unique_ptr<Executable> executable = {};
  std::optional<std::string> explanation = {};
  std::optional<Failure> failure = {};
  double seconds = 0;  // of compiling

  // Destroyed in this order: what was compiled, what it was compiled by.
  ~Job() {
    executable.reset();
    backend.reset();
  }
};

void compile(Job& job) {
  const auto begin = std::chrono::steady_clock::now();
  auto made = guarded_compile(*job.backend, *job.module);
  job.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  if (auto* failure = std::get_if<Failure>(&made)) {
    job.failure = std::move(*failure);
  } else {
    job.executable = std::get<std::unique_ptr<Executable>>(std::move(made));
  }
}

void explain(Job& job) {
  auto told = guarded_explanation(*job.executable);
  if (auto* failure = std::get_if<Failure>(&told)) {
    job.failure = std::move(*failure);
  } else {
    job.explanation = std::get<std::optional<std::string>>(std::move(told));
  }
}

/// Does one step in its time; the failure, if there is one.
std::optional<Failure> done(const std::shared_ptr<Job>& job, void (*step)(Job&),
                            Seconds most) {
  Worker worker;
  if (worker.run([job, step] { step(*job); }, most)) return job->failure;
  return Failure{
      .kind = Failure::Kind::kCrashed,
      .rule = {},
      .message = fmt::format("no answer within {:g} s", most.count())};
}

int report_nothing(const std::string& backend, std::string_view what) {
  complain(printable(fmt::format("{} {}\n", backend, what)));
  return kNothing;
}

int compile_program(const CompileOptions& options, const std::string& source) {
  const Seconds most(options.timeout);
  const auto job = std::make_shared<Job>();
  job->backend = chosen_backend(options.backend);
  job->module = std::make_shared<const Module>(verified_program(source));
  FileUse use;
  use.read(options.file);
  OutputInto output(options.output, use);
  if (const auto failure = done(job, compile, most)) {
    return report_failure(options.backend, *failure);
  }
  if (job->executable == nullptr) {
    return report_nothing(options.backend, "compiles as it runs");
  }
  complain(printable(fmt::format("{} compile {}\n", options.backend,
                                 time_text(job->seconds))));
  if (options.explain) {
    if (const auto failure = done(job, explain, most)) {
      return report_failure(options.backend, *failure);
    }
    if (!job->explanation) {
      return report_nothing(options.backend, "does not tell how it runs");
    }
    say(printable(*job->explanation));
  }
  output.commit();
  return kConforms;
}

}  // namespace

int run_compile(const CompileOptions& options) {
  std::string source;
  try {
    source = read_program(options.file);
    return compile_program(options, source);
  } catch (const Error& error) {
    return report_error(error, options.file, source);
  }
}

}  // namespace hlo::conformance
