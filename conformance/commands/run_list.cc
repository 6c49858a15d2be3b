#include "conformance/commands/run_list.h"

#include "backends/backend.h"
#include "backends/registry/make_backend.h"
#include "conformance/case/case_files.h"
#include "conformance/commands/options/which_cases.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/standard_output.h"
#include "conformance/report/exit_code.h"
#include "interpreter/counted.h"
#include "interpreter/rules/op.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

std::string_view word(TypeClass type_class) {
  switch (type_class) {
    case TypeClass::kPred:
      return "pred";
    case TypeClass::kSigned:
      return "signed";
    case TypeClass::kUnsigned:
      return "unsigned";
    case TypeClass::kFloat:
      return "float";
    case TypeClass::kComplex:
      return "complex";
    case TypeClass::kNone:
      break;
  }
  return "none";
}

// Each returns how many there are.

int64_t list_operations(const std::string& filter) {
  int64_t listed = 0;
  for (const Op* op : all_ops()) {
    if (!selects(filter, std::string(op->name))) continue;
    ++listed;
    say("{:32} {}\n", op->name, op->is_defined() ? "evaluable" : "declared");
  }
  return listed;
}

int64_t list_backends(const std::string& filter) {
  int64_t listed = 0;
  for (const std::string& backend : known_backends()) {
    if (!selects(filter, backend)) continue;
    ++listed;
    say("{}\n", backend);
  }
  return listed;
}

int64_t list_types(const std::string& filter) {
  int64_t listed = 0;
  for (const TypeInfo& type : all_types()) {
    if (!is_array_type(type.type) || !selects(filter, std::string(type.name))) {
      continue;
    }
    ++listed;
    say("{:16} {:9} {:>8} {:>8}\n", type.name, word(type.type_class),
        counted(type.bits, "bit"), counted(type.storage_bytes, "byte"));
  }
  return listed;
}

int64_t list_cases(const std::string& filter) {
  int64_t listed = 0;
  const std::vector<Case> cases =
      load_all(case_files({}), meant_filter(filter));
  if (!cases.empty()) taken_filter(filter);
  for (const Case& c : cases) {
    ++listed;
    say("{:60} {}\n", c.id, c.statement);
  }
  return listed;
}

}  // namespace

int run_list(const ListOptions& options) {
  const bool any =
      options.operations || options.backends || options.types || options.cases;
  int64_t listed = 0;
  try {
    if (options.operations || !any) listed += list_operations(options.filter);
    if (options.backends) listed += list_backends(options.filter);
    if (options.types) listed += list_types(options.filter);
    if (options.cases) listed += list_cases(options.filter);
  } catch (const Error& error) {
    return report_error(error, "", "");
  }
  if (listed > 0) return kConforms;
  complain(
      printable("nothing is called like " + shortened(options.filter) + "\n"));
  return kNothing;
}

}  // namespace hlo::conformance
