#include "conformance/golden/golden_case.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "conformance/judge/golden.h"
#include "interpreter/error.h"
#include "interpreter/shortened.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {

std::string golden_name(std::string_view path) {
  path.remove_prefix(path.find_last_of('/') + 1);  // or npos + 1: none
  const size_t dot = path.find_last_of('.');
  if (dot != std::string_view::npos && dot > 0) path = path.substr(0, dot);
  std::string name;
  for (const char c : path) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    const bool is_kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                         c == '.' || c == '-';
    name += is_upper ? static_cast<char>(c - 'A' + 'a') : is_kept ? c : '_';
  }
  return name.empty() ? "_" : name;
}

Case golden_case(const GoldenTitle& title, const Module& module,
                 std::vector<Literal> leaves) {
  Case c;
  c.id = "golden/" + title.program + "/" + title.inputs;
  c.statement = title.statement;
  c.why = {"Program"};
  c.hlo = text::print(module);
  c.inputs = std::move(leaves);
  c.from_reference = true;
  c.certified = true;
  c.expect = golden_sets(module, c.inputs, c.certified);
  return c;
}

std::string golden_file(const std::string& command,
                        const std::vector<Case>& cases) {
  std::set<std::string> ids;
  for (const Case& c : cases) {
    require_evaluable(ids.insert(c.id).second, "usage.golden",
                      {"two cases have the id ", shortened(c.id)},
                      "names of programs, and inputs, must differ");
  }
  const VectorHeader header{
      .generator = "assay golden make",
      .command = command,
      .notes = {{"Program",
                 "the results of the reference, and what is certified of a "
                 "backend that conforms"}}};
  std::string text = print_header(header) + "\n";
  for (const Case& c : cases) text += print_case(c) + "\n";
  parse_vectors(text, "the golden file");
  return text;
}

void make_exact(std::vector<Case>& cases) {
  for (Case& c : cases) {
    for (Expectation& set : c.expect) {
      if (const auto* array = std::get_if<ArraySet>(&set)) {
        set = ArraySet::moved(Literal(array->value));
      } else if (const auto* open = std::get_if<UnspecifiedSet>(&set)) {
        if (open->value) set = ArraySet::moved(Literal(*open->value));
      }
    }
  }
}

}  // namespace hlo::conformance
