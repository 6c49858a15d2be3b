#pragma once

#include <string>
#include <vector>

namespace hlo::conformance {

struct AuditCommand {
  std::string target;  // a program, a file of cases, or ids of cases
  std::string backend = "cpu:";
  std::string filter = "*";         // which cases of a file
  std::vector<std::string> inputs;  // of a program
  std::vector<std::string> infeed = {};
  int jobs = 1;  // programs at the same time
  std::string profile = "tight";
  int runs = 5;
  int compilations = 2;
  std::vector<std::string> also;  // further URIs that must give the same bits
  double timeout = 60;            // seconds for a compilation or a run
  bool all = false;               // tell of steady programs, too
  std::string output;             // file for the audit, "" for none
  std::string version;
};

/// Runs programs on a backend in every way that must not matter, tells what
/// varies and whether it may, reports errors to standard error, and returns
/// the exit code of the process.
int run_audit(const AuditCommand& options);

}  // namespace hlo::conformance
