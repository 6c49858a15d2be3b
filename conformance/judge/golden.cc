#include "conformance/judge/golden.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/backend.h"
#include "conformance/case/case_files.h"
#include "conformance/case/case_program.h"
#include "conformance/expect/expect_module.h"
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
    const Module module = case_module(c);
    auto sets = expect_devices(module, device_arguments(module, c.inputs));
    for (Expectation& set : sets) {
      if (auto* array = std::get_if<ArraySet>(&set)) clear_beyond_sizes(*array);
    }
    return sets;
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

bool is_good(Verdict verdict) {
  return verdict == Verdict::kConforms ||
         verdict == Verdict::kRejectedRightly || verdict == Verdict::kUnjudged;
}

}  // namespace

Case blessed(const Case& c) {
  Case result = c;
  result.expect = reference_sets(c);
  result.asks_reference = false;
  return result;
}

std::string bless(std::string_view text, std::string_view file,
                  const std::string& filter) {
  std::string result;
  int line = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view content = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string written(content);
    if (++line > 1) {
      const Case c = parse_case(content, file, line);
      if (c.asks_reference && selects(filter, c.id)) {
        written = print_case(blessed(c));
      }
    }
    result += written + "\n";
  }
  return result;
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
