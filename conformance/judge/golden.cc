#include "conformance/judge/golden.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "backends/backend.h"
#include "conformance/case/case_files.h"
#include "conformance/case/case_program.h"
#include "conformance/expect/expect_module.h"
#include "conformance/judge/certified_sets.h"
#include "conformance/judge/judge.h"
#include "conformance/literals/describe_scalar.h"
#include "conformance/literals/differences.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/literals/live.h"
#include "interpreter/error.h"
#include "interpreter/run/evaluator.h"

namespace hlo::conformance {
namespace {

/// Zeros in place of what does not exist at run time: a case says nothing of
/// it.
void clear_beyond_sizes(ArraySet& set) {
  if (set.value.dynamic_sizes().empty()) return;
  const Shape shape = set.value.shape();
  set.value = with_room(live_part(set.value), shape);
  if (set.sets.empty()) return;
  for (int64_t i = 0; i < set.value.element_count(); ++i) {
    if (exists(set.value, i)) continue;
    for (int part = 0; part < components(set.value.type()); ++part) {
      set.put(i, part, ValueSet::of(0, component_type(set.value.type())));
    }
  }
}

/// The sets that follow from the reference.
std::vector<Expectation> reference_sets(const Case& c) {
  try {
    return golden_sets(case_module(c), c.inputs, c.certified);
  } catch (const Error& error) {
    throw Error(error.phase(), error.rule(),
                fmt::format("{}:{}: {}: there is no result to bless, and a "
                            "rejection must be stated as \"rejected\": {}",
                            c.file, c.line, c.id, program_message(c, error)));
  }
}

/// The sets with nothing but their values in them.
std::vector<Expectation> values_only(std::vector<Expectation> sets) {
  for (Expectation& set : sets) {
    auto* array = std::get_if<ArraySet>(&set);
    if (array == nullptr || array->sets.empty()) continue;
    set = ArraySet::computed(std::move(array->value));
  }
  return sets;
}

Observation observe_reference(const Case& c) {
  try {
    const Module module = case_module(c);
    return run_reference(module, c.inputs);
  } catch (const Error& error) {
    Failure failure = to_failure(error);
    failure.message = program_message(c, error);
    return failure;
  }
}

std::string explain(const Judgement& judgement) {
  if (!judgement.difference) {
    return fmt::format("{}: {}", name(judgement.verdict), judgement.message);
  }
  const Difference& d = *judgement.difference;
  return fmt::format(
      "element {{{}}} of leaf {}: stated {}, the reference has {}",
      fmt::join(d.index, ","), d.leaf, describe(d.reference),
      describe(d.actual));
}

/// The case's line after it is blessed; nothing where it stays as it is.
std::optional<std::string> changed_line(const Case& c,
                                        const std::string& filter) {
  if (!c.asks_reference && !c.certified) return std::nullopt;
  if (!selects(filter, c.id)) return std::nullopt;
  std::string line = print_case(blessed(c));
  if (line == print_case(c)) return std::nullopt;
  return line;
}

/// Whether it is told who blesses; what must be told is told by all three.
bool is_told(const Blessing& by, bool must_be) {
  const bool all = !by.who.empty() && !by.when.empty() && !by.why.empty();
  const bool some = !by.who.empty() || !by.when.empty() || !by.why.empty();
  require_evaluable(all || (!some && !must_be), "usage.bless",
                    {"it is not told who blesses ",
                     Count{std::ssize(by.cases), "case"}, ", when and why"},
                    "--who, --when and --why must tell it together");
  return all;
}

bool is_good(Verdict verdict) {
  return verdict == Verdict::kConforms ||
         verdict == Verdict::kRejectedRightly || verdict == Verdict::kUnjudged;
}

}  // namespace

std::vector<Expectation> golden_sets(const Module& module,
                                     const std::vector<Literal>& leaves,
                                     bool certified) {
  std::vector<Expectation> sets =
      certified ? certified_sets(module, leaves)
                : expect_devices(module, device_arguments(module, leaves));
  for (Expectation& set : sets) {
    if (auto* array = std::get_if<ArraySet>(&set)) clear_beyond_sizes(*array);
  }
  return sets;
}

Case blessed(const Case& c) {
  Case result = c;
  result.expect = reference_sets(c);
  result.asks_reference = false;
  return result;
}

std::string bless(std::string_view text, std::string_view file,
                  const std::string& filter, const Blessing& by) {
  Blessing done = by;
  std::string header;
  std::string cases;
  bool is_certified = false;
  int line = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view content = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (++line == 1) {
      header = content;
      continue;
    }
    const Case c = parse_case(content, file, line);
    const auto written = changed_line(c, filter);
    cases += written.value_or(std::string(content)) + "\n";
    if (!written) continue;
    done.cases.push_back(c.id);
    is_certified = is_certified || c.certified;
  }
  if (line == 0) return {};
  if (is_told(done, is_certified) && !done.cases.empty()) {
    VectorHeader told = parse_header(header);
    told.blessed.push_back(done);
    header = print_header(told);
  }
  return header + "\n" + cases;
}

std::string verify_golden(const Case& c) {
  if (c.asks_reference) return "it is not blessed yet";
  const Judgement judgement =
      judge(values_only(c.expect), observe_reference(c));
  if (!is_good(judgement.verdict)) return explain(judgement);
  const bool is_rejected = judgement.verdict == Verdict::kRejectedRightly;
  if (!c.from_reference || is_rejected) return {};
  return print_case(blessed(c)) == print_case(c)
             ? std::string()
             : "the sets are not those of the reference; bless them again";
}

}  // namespace hlo::conformance
