#pragma once

#include <span>
#include <string>

#include "conformance/audit/audit.h"

namespace hlo::conformance {

/// Who was audited, and how.
struct AuditHeader {
  std::string backend;
  std::string profile;
  int runs = 0;
  int compilations = 0;
  std::vector<std::string> settings = {};
  std::string version = {};
  std::string build = {};
};

/// Lines for one program: its verdict, and what came to other bits by what.
std::string audit_text(const AuditedProgram& program);
/// A table of causes, and a line that counts the programs by verdict.
std::string audit_summary(std::span<const AuditedProgram> programs,
                          const std::string& backend);
/// The file of an audit (spec/schema/audit.schema.json), a program a line.
std::string audit_json(std::span<const AuditedProgram> programs,
                       const AuditHeader& header);
/// 1 where a program is not deterministic or a result is not in its set, else
/// 3 where the backend broke, 77 where it takes none of the programs.
int audit_exit_code(std::span<const AuditedProgram> programs);

}  // namespace hlo::conformance
