#include "conformance/audit/audit_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "conformance/files/printable.h"
#include "conformance/files/terminal.h"
#include "conformance/literals/describe_scalar.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/report/exit_code.h"
#include "conformance/report/table.h"
#include "interpreter/counted.h"

namespace hlo::conformance {
namespace {

using Json = nlohmann::ordered_json;

/// Text of any bytes: what is not UTF-8 is replaced.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string hex_bits(const Variation& variation) {
  std::string text;
  for (const uint64_t bits : variation.bits) {
    text += (text.empty() ? "" : ":") + fmt::format("{:x}", bits);
  }
  return text;
}

std::string place_of(const Variation& variation) {
  return fmt::format("leaf {} {{{}}}", variation.leaf,
                     fmt::join(variation.index, ","));
}

/// "2 of 8 elements, first leaf 0 {3}: 1 = ..., then 1.5 = ...; 1 step; ..."
std::string words(const Variation& variation) {
  if (!variation.failure.empty()) return variation.failure;
  if (variation.elements == 0) return "other sizes";
  std::string text =
      fmt::format("{} of {}, first {}: {}, then {}", variation.elements,
                  counted(variation.of, "element"), place_of(variation),
                  describe(variation.first), describe(variation.other));
  if (variation.steps) {
    const int64_t steps = std::max(*variation.steps, -INT64_MAX);
    text += fmt::format("; {} apart", counted(std::abs(steps), "step"));
  }
  return text + fmt::format("; bits {} differ", hex_bits(variation));
}

std::string_view words(Steadiness steadiness) {
  switch (steadiness) {
    case Steadiness::kVaries:
      return "varies, as it may";
    case Steadiness::kUnjudged:
      return "varies, and nobody knows whether it may";
    case Steadiness::kNotDeterministic:
      return "not deterministic";
    case Steadiness::kOutside:
      return "outside its set";
    default:
      return name(steadiness);
  }
}

std::string text_of(const AuditFinding& finding) {
  std::string text = fmt::format("  {}: {}: {}\n", name(finding.cause),
                                 finding.what, words(finding.variation));
  if (finding.verdict != Verdict::kConforms) {
    text += fmt::format("    {}\n", name(finding.verdict));
  }
  if (!finding.message.empty()) {
    text += fmt::format("    {}\n", finding.message);
  }
  return text;
}

bool has_cause(const AuditedProgram& program, Cause cause) {
  return std::ranges::any_of(program.findings, [&](const auto& finding) {
    return finding.cause == cause;
  });
}

int64_t count_of(std::span<const AuditedProgram> programs,
                 Steadiness steadiness) {
  return std::ranges::count(programs, steadiness, &AuditedProgram::steadiness);
}

Table causes(std::span<const AuditedProgram> programs) {
  Table table({{.title = "what is other", .is_text = true},
               {.title = "programs"},
               {.title = "trials"},
               {.title = "other bits"}});
  for (size_t i = 0; i < kCauseCount; ++i) {
    int64_t asked = 0;
    int64_t trials = 0;
    int64_t other = 0;
    for (const AuditedProgram& program : programs) {
      trials += program.trials.at(i);
      if (program.trials.at(i) > 0) ++asked;
      if (has_cause(program, static_cast<Cause>(i))) ++other;
    }
    if (asked + other == 0) continue;
    table.add({std::string(name(static_cast<Cause>(i))), std::to_string(asked),
               std::to_string(trials), std::to_string(other)});
  }
  return table;
}

Json json_of(const Variation& variation) {
  if (!variation.failure.empty()) return {{"failure", variation.failure}};
  Json json = {{"elements", variation.elements}, {"of", variation.of}};
  if (variation.elements == 0) return json;
  json["leaf"] = variation.leaf;
  json["index"] = variation.index;
  json["type"] = std::string(name(variation.first.type));
  json["first"] = print_bits(variation.first);
  json["other"] = print_bits(variation.other);
  if (variation.steps) json["steps"] = *variation.steps;
  json["bits"] = hex_bits(variation);
  return json;
}

Json json_of(const AuditFinding& finding) {
  Json json = {{"cause", std::string(name(finding.cause))},
               {"what", finding.what},
               {"variation", json_of(finding.variation)},
               {"verdict", std::string(name(finding.verdict))}};
  if (!finding.message.empty()) json["message"] = finding.message;
  return json;
}

Json json_of(const AuditedProgram& program) {
  Json trials = Json::object();
  for (size_t i = 0; i < kCauseCount; ++i) {
    if (program.trials.at(i) == 0) continue;
    trials[std::string(name(static_cast<Cause>(i)))] = program.trials.at(i);
  }
  Json findings = Json::array();
  for (const AuditFinding& finding : program.findings) {
    findings.push_back(json_of(finding));
  }
  Json json = {{"id", program.id},
               {"steadiness", std::string(name(program.steadiness))},
               {"verdict", std::string(name(program.verdict))}};
  if (!program.message.empty()) json["message"] = program.message;
  json["trials"] = std::move(trials);
  json["findings"] = std::move(findings);
  return json;
}

Json counts_of(std::span<const AuditedProgram> programs) {
  Json counts = Json::object();
  for (size_t i = 0; i < kSteadinessCount; ++i) {
    const auto steadiness = static_cast<Steadiness>(i);
    counts[std::string(name(steadiness))] = count_of(programs, steadiness);
  }
  return counts;
}

}  // namespace

std::string audit_text(const AuditedProgram& program) {
  std::string text =
      fmt::format("{}: {}\n", program.id, words(program.steadiness));
  if (!program.message.empty()) {
    text += fmt::format("  first run: {}: {}\n", name(program.verdict),
                        program.message);
  }
  for (const AuditFinding& finding : program.findings) {
    text += text_of(finding);
  }
  return text;
}

std::string audit_summary(std::span<const AuditedProgram> programs,
                          const std::string& backend) {
  std::string text = causes(programs).text(output_width());
  text += fmt::format("{} {}", with_colon(backend),
                      counted(std::ssize(programs), "program"));
  for (size_t i = 0; i < kSteadinessCount; ++i) {
    const auto steadiness = static_cast<Steadiness>(i);
    const int64_t count = count_of(programs, steadiness);
    if (count == 0) continue;
    text += fmt::format("; {} {}", count, words(steadiness));
  }
  return text + "\n";
}

std::string audit_json(std::span<const AuditedProgram> programs,
                       const AuditHeader& header) {
  const Json head = {
      {"backend", header.backend},   {"profile", header.profile},
      {"runs", header.runs},         {"compilations", header.compilations},
      {"settings", header.settings}, {"version", header.version},
      {"build", header.build}};
  std::string text = "{\"audit\":" + dump(head) + ",\n\"programs\":[";
  for (size_t i = 0; i < programs.size(); ++i) {
    text += (i == 0 ? "\n" : ",\n") + dump(json_of(programs[i]));
  }
  return text + fmt::format("],\n\"counts\":{},\n\"exit_code\":{}}}\n",
                            dump(counts_of(programs)),
                            audit_exit_code(programs));
}

int audit_exit_code(std::span<const AuditedProgram> programs) {
  if (count_of(programs, Steadiness::kOutside) +
          count_of(programs, Steadiness::kNotDeterministic) >
      0) {
    return kDiffers;
  }
  if (count_of(programs, Steadiness::kBroken) > 0) return kBroken;
  const int64_t unsupported = count_of(programs, Steadiness::kUnsupported);
  return unsupported == std::ssize(programs) ? kNothing : kConforms;
}

}  // namespace hlo::conformance
