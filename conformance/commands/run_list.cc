#include "conformance/commands/run_list.h"

#include "backends/backend.h"
#include "backends/registry/make_backend.h"
#include "conformance/case/case_files.h"
#include "conformance/commands/options/which_cases.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/file_use.h"
#include "conformance/files/output_into.h"
#include "conformance/files/standard_output.h"
#include "conformance/files/terminal.h"
#include "conformance/report/exit_code.h"
#include "conformance/report/table.h"
#include "interpreter/counted.h"
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

Column text_column(size_t width = 0) {
  return {.title = "", .width = width, .is_text = true};
}

/// How many rows it has.
int64_t print(const Table& table) {
  say(table.text(output_width()));
  return table.count();
}

// Each returns how many there are.

int64_t list_operations(const std::string& filter) {
  Table table({text_column(32), text_column()});
  for (const Op* op : all_ops()) {
    if (!selects(filter, std::string(op->name))) continue;
    table.add(
        {std::string(op->name), op->is_defined() ? "evaluable" : "declared"});
  }
  return print(table);
}

int64_t list_backends(const std::string& filter) {
  Table table({text_column(32), text_column()});
  for (const std::string& backend : known_backends()) {
    if (!selects(filter, backend)) continue;
    table.add({backend, state_of_backend(backend)});
  }
  return print(table);
}

int64_t list_tags(const std::string& backend, const std::string& filter) {
  Table table({text_column()});
  for (const std::string& tag : make_backend(backend)->tags()) {
    if (selects(filter, tag)) table.add({tag});
  }
  return print(table);
}

int64_t list_types(const std::string& filter) {
  Table table({text_column(16),
               text_column(9),
               {.title = "", .width = 8},
               {.title = "", .width = 8}});
  for (const TypeInfo& type : all_types()) {
    if (!is_array_type(type.type) || !selects(filter, std::string(type.name))) {
      continue;
    }
    table.add({std::string(type.name), std::string(word(type.type_class)),
               counted(type.bits, "bit"), counted(type.storage_bytes, "byte")});
  }
  return print(table);
}

int64_t list_cases(const std::string& filter) {
  Table table({text_column(60), text_column()});
  const std::vector<Case> cases =
      load_all(case_files({}), meant_filter(filter));
  if (!cases.empty()) taken_filter(filter);
  for (const Case& c : cases) table.add({c.id, c.statement});
  return print(table);
}

int64_t list_all(const ListOptions& options) {
  const bool any = options.operations || options.backends || options.types ||
                   options.cases || !options.tags.empty();
  int64_t listed = 0;
  if (options.operations || !any) listed += list_operations(options.filter);
  if (options.backends) listed += list_backends(options.filter);
  if (options.types) listed += list_types(options.filter);
  if (options.cases) listed += list_cases(options.filter);
  if (!options.tags.empty()) listed += list_tags(options.tags, options.filter);
  return listed;
}

}  // namespace

int run_list(const ListOptions& options) {
  try {
    FileUse use;
    OutputInto output(options.output, use);
    const bool any = list_all(options) > 0;
    // A backend need not say anything of itself.
    if (!any && options.tags.empty()) return report_no_case(options.filter);
    output.commit();
    return kConforms;
  } catch (const Error& error) {
    return report_error(error, "", "");
  }
}

}  // namespace hlo::conformance
