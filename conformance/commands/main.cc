#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "conformance/commands/command_line/command_line.h"
#include "conformance/commands/command_line/usage.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/memory_limit.h"
#include "conformance/files/standard_output.h"
#include "conformance/files/stop.h"
#include "conformance/jobs/worker.h"
#include "conformance/report/exit_code.h"
#include "interpreter/arithmetic_state.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

int run(int argc, char** argv) {
  limit_memory(0);
  CommandLine line;
  line.audit.version = ASSAY_VERSION;
  line.check.version = ASSAY_VERSION;
  line.golden.check.version = ASSAY_VERSION;
  line.fingerprint.version = ASSAY_VERSION;
  line.sweep.version = ASSAY_VERSION;
  const std::string help = read_command_line(line, ASSAY_VERSION, argc, argv);
  if (help.empty()) return line.chosen();
  say(help);
  return kConforms;
}

/// What `body` returns, or the exit code of what it throws.
template <typename Body>
int guarded(const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    return report_error(error, "", "");
  } catch (const std::bad_alloc&) {
    complain(out_of_memory());
  } catch (const std::exception& error) {
    complain(printable(std::string("internal error: ") + error.what() + "\n"));
  }
  return kBroken;
}

/// Says whether a library changed how threads compute.
void complain_of_libraries() {
  for (const std::string& note : arithmetic_notes()) {
    complain("warning: " + note + "\n");
  }
}

int guarded_run(int argc, char** argv) {
  const ReferenceArithmetic arithmetic;
  note_arithmetic(arithmetic.found(), "a library that is loaded");
  const int code = guarded([&] {
    const int done = run(argc, argv);
    flush_output();
    return done;
  });
  complain_of_libraries();
  return code;
}

/// Ends a command that a signal stops.
int end_stopped(int signal) {
  return guarded([&] {
    end_status();
    run_stop_actions();
    flush_output();
    complain(std::string("stopped by a signal: ") + strsignal(signal) + "\n");
    return int{kIncomplete};
  });
}

}  // namespace
}  // namespace hlo::conformance

int main(int argc, char** argv) {
  hlo::conformance::prepare_streams();
  const hlo::conformance::StopSignals signals(hlo::conformance::end_stopped);
  const int code = hlo::conformance::guarded_run(argc, argv);
  hlo::conformance::end_if_threads_run(code);
  return code;
}
