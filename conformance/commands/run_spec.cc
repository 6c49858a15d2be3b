#include "conformance/commands/run_spec.h"

#include <algorithm>
#include <string>

#include "conformance/commands/verified_program.h"
#include "conformance/files/standard_output.h"
#include "conformance/pages/pages.h"
#include "conformance/report/exit_code.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

const Page* find_page(const std::string& name) {
  for (const Page& page : pages()) {
    if (page.name == name) return &page;
  }
  return nullptr;
}

/// The names of the pages that have `part` in their name.
std::string pages_like(const std::string& part) {
  std::string names;
  for (const Page& page : pages()) {
    if (page.name.find(part) == std::string_view::npos) continue;
    names += "  ";
    names += page.name.starts_with("ops/") ? page.name.substr(4) : page.name;
    names += '\n';
  }
  return names;
}

}  // namespace

int run_spec(const SpecOptions& options) {
  std::string name = options.operation;
  std::ranges::replace(name, '-', '_');
  const Page* page = find_page("ops/" + name);
  if (page == nullptr) page = find_page(options.operation);
  if (page != nullptr) {
    say(page->text);
    return kConforms;
  }
  const std::string similar = pages_like(name.substr(0, 3));
  const int code = report_error(
      Error(Phase::kParse, "usage.page",
            "there is no page \"" + shortened(options.operation) +
                "\", but it must be an operation or a chapter of spec/"),
      "", "");
  if (!similar.empty()) complain("pages with such names:\n" + similar);
  return code;
}

}  // namespace hlo::conformance
