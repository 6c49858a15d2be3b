#include "conformance/merge/run_merge.h"

#include <memory>

#include "conformance/files/file_use.h"
#include "conformance/files/output_file.h"
#include "conformance/files/printable.h"
#include "conformance/files/read_file.h"
#include "conformance/files/standard_output.h"
#include "conformance/merge/merged_events.h"
#include "conformance/report/exit_code.h"
#include "conformance/report/junit.h"
#include "conformance/report/print_report.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

std::unique_ptr<OutputFile> output(const std::string& path, FileUse& use) {
  if (path.empty()) return nullptr;
  return std::make_unique<OutputFile>(path, use);
}

void write(OutputFile* file, const std::string& text) {
  if (file == nullptr) return;
  file->append(text);
  file->commit();
}

MergedEvents events_of(const std::vector<std::string>& files) {
  MergedEvents events;
  for (const std::string& file : files) {
    try {
      events.add(read_input(file));
    } catch (const Error& error) {
      if (!error.rule().starts_with("usage.")) throw;
      throw Error(Phase::kEvaluate, std::string(error.rule()),
                  file + ": " + error.message());
    }
  }
  return events;
}

}  // namespace

int run_merge(const MergeOptions& options) {
  FileUse use;
  use.read(options.files);
  const auto file = output(options.output, use);
  const auto junit_file = output(options.junit, use);
  MergedEvents events = events_of(options.files);
  try {
    events.require_all();
  } catch (const Error& error) {
    complain(printable(std::string(error.what()) + "\n"));
    return kIncomplete;
  }
  const RunIdentity& run = events.run();
  const Summary summary = events.summary();
  write(file.get(), events.text(summary));
  write(junit_file.get(), junit({{&summary, run.backend}}));
  print_report(summary, 0,
               {.backend = run.backend,
                .failures = options.failures,
                .levels = run.levels,
                .verbose = options.verbose});
  return summary.exit_code();
}

}  // namespace hlo::conformance
