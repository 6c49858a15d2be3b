#include "conformance/commands/auditing/run_audit.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "backends/registry/make_backend.h"
#include "conformance/audit/asked_backend.h"
#include "conformance/audit/audit.h"
#include "conformance/audit/audit_report.h"
#include "conformance/case/case.h"
#include "conformance/commands/shrinking/target.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/file_use.h"
#include "conformance/files/output_file.h"
#include "conformance/files/printable.h"
#include "conformance/files/progress.h"
#include "conformance/files/standard_output.h"
#include "conformance/levels/profile_text.h"
#include "conformance/report/build_hash.h"
#include "conformance/shrink/shrink.h"
#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

MakeBackend maker(std::string uri) {
  return [uri = std::move(uri)] { return make_backend(uri); };
}

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
std::vector<Setting> thread_settings(const std::string& uri) {
  std::vector<Setting> settings;
  const std::string base = threaded_base(uri);
  for (const int count : {1, 2, 3, 8}) {
    const std::string other = fmt::format("{}threads={}", base, count);
    if (!base.empty()) {
      settings.push_back({Cause::kThreads, other, maker(other)});
    } else if (!is_in_process(uri) && count < usable_cores()) {
      settings.push_back({Cause::kThreads,
                          fmt::format("the first {} of the cores", count),
                          maker(uri), count});
    }
  }
  return settings;
}

AuditOptions audit_options(const AuditCommand& options) {
  AuditOptions audit{.profile = parse_profile(options.profile),
                     .runs = options.runs,
                     .compilations = options.compilations,
                     .places = is_in_process(options.backend),
                     .most = Seconds(options.timeout),
                     .settings = thread_settings(options.backend)};
  for (const std::string& uri : options.also) {
    make_backend(uri);  // wrong names are found before all else
    audit.settings.push_back({Cause::kSetting, uri, maker(uri)});
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
  source = read_program(options.target);
  Case c = case_of_program(program_of_text(source, options.inputs), profile);
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

int audit_all(const AuditCommand& options, std::string& source) {
  make_backend(options.backend);
  const AuditOptions audit = audit_options(options);
  FileUse use;
  const std::vector<Case> cases =
      audited_cases(options, audit.profile, use, source);
  std::optional<OutputFile> file;
  if (!options.output.empty()) file.emplace(options.output, use);
  AuditedBackend backend(maker(options.backend), audit);
  std::vector<AuditedProgram> programs;
  {
    CountedProgress progress(std::ssize(cases), "program");
    for (const Case& c : cases) {
      programs.push_back(backend.audit(c));
      const AuditedProgram& last = programs.back();
      if (options.all || last.steadiness > Steadiness::kUnsupported) {
        say("{}", printable(audit_text(last)));
      }
      progress.step();
    }
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
    return audit_all(options, source);
  } catch (const Error& error) {
    return report_error(error, options.target, source);
  }
}

}  // namespace hlo::conformance
