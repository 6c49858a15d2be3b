#include "conformance/commands/run_list.h"

#include "backends/backend.h"
#include "backends/registry/make_backend.h"
#include "conformance/case/case_files.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/standard_output.h"
#include "conformance/report/exit_code.h"
#include "interpreter/rules/op.h"

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

void list_operations(const std::string& filter) {
  for (const Op* op : all_ops()) {
    if (!selects(filter, std::string(op->name))) continue;
    say("{:32} {}\n", op->name, op->is_defined() ? "evaluable" : "declared");
  }
}

void list_backends(const std::string& filter) {
  for (const std::string& backend : known_backends()) {
    if (selects(filter, backend)) say("{}\n", backend);
  }
}

void list_types(const std::string& filter) {
  for (const TypeInfo& type : all_types()) {
    if (!is_array_type(type.type) || !selects(filter, std::string(type.name))) {
      continue;
    }
    say("{:16} {:9} {:3} bits {:2} bytes\n", type.name, word(type.type_class),
        type.bits, type.storage_bytes);
  }
}

void list_cases(const std::string& filter) {
  for (const Case& c : load_all(case_files({}), filter)) {
    say("{:60} {}\n", c.id, c.statement);
  }
}

}  // namespace

int run_list(const ListOptions& options) {
  const bool any =
      options.operations || options.backends || options.types || options.cases;
  try {
    if (options.operations || !any) list_operations(options.filter);
    if (options.backends) list_backends(options.filter);
    if (options.types) list_types(options.filter);
    if (options.cases) list_cases(options.filter);
  } catch (const Error& error) {
    return report_error(error, "", "");
  }
  return kConforms;
}

}  // namespace hlo::conformance
