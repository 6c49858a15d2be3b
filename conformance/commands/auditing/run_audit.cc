#include "conformance/commands/auditing/run_audit.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "backends/host_side.h"
#include "backends/registry/make_backend.h"
#include "conformance/audit/asked_backend.h"
#include "conformance/audit/audit.h"
#include "conformance/audit/audit_all.h"
#include "conformance/audit/audit_report.h"
#include "conformance/case/case.h"
#include "conformance/commands/options/judging.h"
#include "conformance/commands/results/failure_report.h"
#include "conformance/commands/results/host_feed.h"
#include "conformance/commands/shrinking/target.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/file_use.h"
#include "conformance/files/output_file.h"
#include "conformance/files/printable.h"
#include "conformance/files/progress.h"
#include "conformance/files/standard_output.h"
#include "conformance/levels/profile_text.h"
#include "conformance/report/build_hash.h"
#include "conformance/shrink/haste.h"
#include "conformance/shrink/shrink.h"
#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

/// Makes backends that get what the host has, as far as they take it.
class Maker {
 public:
  explicit Maker(const AuditCommand& options)
      : host_{.infeed = infeed_queues(options.infeed)} {}

  MakeBackend of(std::string uri) const {
    return [uri = std::move(uri), host = host_] {
      std::unique_ptr<Backend> backend = make_backend(uri);
      if (host.infeed) feed(*backend, host);
      return backend;
    };
  }

  /// Why the backend takes nothing of the host, where that has something.
  /// Errors of chosen_backend().
  std::optional<Failure> refusal(const std::string& uri) const {
    return feed(*chosen_backend(uri), host_);
  }

 private:
  HostSide host_;
};

/// "cpu:" of "cpu:threads=2"; empty where threads are no part of the URI.
std::string threaded_base(const std::string& uri) {
  for (const std::string_view base : {"cpu:", "interpreter:"}) {
    if (uri == base || uri.starts_with(std::string(base) + "threads=")) {
      return std::string(base);
    }
  }
  return {};
}

/// Whether arguments are what the backend gets, and no copies of them.
bool is_in_process(const std::string& uri) {
  return uri.starts_with("cpu:") || uri.starts_with("interpreter:") ||
         uri.starts_with("mutant:");
}

/// Other numbers of threads, or of cores where only those are in our hand.
std::vector<Setting> thread_settings(const std::string& uri,
                                     const Maker& maker) {
  std::vector<Setting> settings;
  const std::string base = threaded_base(uri);
  for (const int count : {1, 2, 3, 8}) {
    const std::string other = fmt::format("{}threads={}", base, count);
    if (!base.empty()) {
      settings.push_back({Cause::kThreads, other, maker.of(other)});
    } else if (!is_in_process(uri) && count < usable_cores()) {
      settings.push_back({Cause::kThreads,
                          fmt::format("the first {} of the cores", count),
                          maker.of(uri), count});
    }
  }
  return settings;
}

AuditOptions audit_options(const AuditCommand& options, const Maker& maker) {
  AuditOptions audit{.profile = parse_profile(options.profile),
                     .runs = options.runs,
                     .compilations = options.compilations,
                     .places = is_in_process(options.backend),
                     .most = Seconds(options.timeout),
                     .settings = thread_settings(options.backend, maker)};
  for (const std::string& uri : options.also) {
    audit.settings.push_back({Cause::kSetting, uri, maker.of(uri)});
  }
  return audit;
}

/// Where nothing can be certified of the program, no result of it is judged.
Case case_of_program(const Program& program, const Profile& profile) {
  try {
    return case_of(program, profile);
  } catch (const Error& error) {
    complain(printable(
        fmt::format("nothing is certified: {}\n", shortened(error.message()))));
    Case c;
    c.hlo = program.hlo;
    c.inputs = program.inputs;
    c.asks_reference = true;
    return c;
  }
}

std::vector<Case> audited_cases(const AuditCommand& options,
                                const Profile& profile, FileUse& use,
                                std::string& source) {
  if (!names_program(options.target)) {
    return cases_of(options.target, options.filter, use);
  }
  use.read(options.target);
  use.read(input_files(options.inputs));
  use.read(input_files(options.infeed));
  source = read_program(options.target);
  const Program program = program_of_text(source, options.inputs);
  if (options.infeed.empty()) require_value(program);
  Case c = case_of_program(program, profile);
  c.id = options.target == "-" ? "program" : options.target;
  return {c};
}

std::string file_text(const AuditCommand& options,
                      const std::vector<AuditedProgram>& programs) {
  return audit_json(programs, {.backend = options.backend,
                               .profile = options.profile,
                               .runs = options.runs,
                               .compilations = options.compilations,
                               .settings = options.also,
                               .version = options.version,
                               .build = std::string(build_hash())});
}

/// Says which backend does not take what the host has; its exit code.
std::optional<int> refused(const AuditCommand& options, const Maker& maker) {
  std::vector<std::string> uris = options.also;
  uris.insert(uris.begin(), options.backend);
  for (const std::string& uri :
       uris) {  // wrong names are found before all else
    if (const auto failure = maker.refusal(uri)) {
      return report_failure(uri, *failure);
    }
  }
  return std::nullopt;
}

int audit_cases(const AuditCommand& options, std::string& source) {
  const Maker maker(options);
  if (const auto code = refused(options, maker)) return *code;
  const AuditOptions audit = audit_options(options, maker);
  FileUse use;
  const std::vector<Case> cases =
      audited_cases(options, audit.profile, use, source);
  std::optional<OutputFile> file;
  if (!options.output.empty()) file.emplace(options.output, use);
  std::vector<AuditedProgram> programs;
  {
    CountedProgress progress(std::ssize(cases), "program");
    programs = audit_all(
        cases, maker.of(options.backend), audit, options.jobs,
        [&](const AuditedProgram& last) {
          if (options.all || last.steadiness > Steadiness::kUnsupported) {
            say("{}", printable(audit_text(last)));
          }
          progress.step();
        });
  }
  say("{}", printable(audit_summary(programs, options.backend)));
  if (file) {
    file->append(file_text(options, programs));
    file->commit();
  }
  return audit_exit_code(programs);
}

}  // namespace

int run_audit(const AuditCommand& options) {
  std::string source;
  try {
    return audit_cases(options, source);
  } catch (const Error& error) {
    return report_error(error, options.target, source);
  }
}

}  // namespace hlo::conformance
