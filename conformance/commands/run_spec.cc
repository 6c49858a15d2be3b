#include "conformance/commands/run_spec.h"

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/commands/verified_program.h"
#include "conformance/files/file_use.h"
#include "conformance/files/output_into.h"
#include "conformance/files/standard_output.h"
#include "conformance/pages/pages.h"
#include "conformance/report/exit_code.h"
#include "interpreter/error.h"
#include "interpreter/nearest.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

const Page* find_page(const std::string& name) {
  for (const Page& page : pages()) {
    if (page.name == name) return &page;
  }
  return nullptr;
}

/// The names by which pages are asked for: "pad", "layout".
std::vector<std::string> page_names() {
  std::vector<std::string> names;
  for (const Page& page : pages()) {
    const bool is_operation = page.name.starts_with("ops/");
    names.emplace_back(page.name.substr(is_operation ? 4 : 0));
  }
  return names;
}

const Page& page_of(const SpecOptions& options) {
  std::string name = options.operation;
  std::ranges::replace(name, '-', '_');
  const Page* page = find_page("ops/" + name);
  if (page == nullptr) page = find_page(options.operation);
  if (page == nullptr) page = find_page(name);
  if (page != nullptr) return *page;
  throw Error(Phase::kParse, "usage.page",
              "there is no page \"" + shortened(options.operation) + "\"" +
                  suggestion(name, page_names()) +
                  ", but it must be an operation (assay list) or a chapter "
                  "(assay spec README)");
}

}  // namespace

int run_spec(const SpecOptions& options) {
  try {
    const Page& page = page_of(options);
    FileUse use;
    OutputInto output(options.output, use);
    say(page.text);
    output.commit();
    return kConforms;
  } catch (const Error& error) {
    return report_error(error, "", "");
  }
}

}  // namespace hlo::conformance
