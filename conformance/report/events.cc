#include "conformance/report/events.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "conformance/literals/content_hash.h"
#include "conformance/literals/literal_bits.h"

namespace hlo::conformance {
namespace {

using Json = nlohmann::ordered_json;

/// Text of any bytes: what is not UTF-8 is replaced.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json to_json(const Difference& d) {
  Json json = {{"leaf", d.leaf},
               {"index", d.index},
               {"expected", d.expected},
               {"type", name(d.actual.type)},
               {"reference", print_bits(d.reference)},
               {"actual", print_bits(d.actual)}};
  if (d.ulps) json["ulps"] = *d.ulps;
  return json;
}

void add_closeness(Json& json, const Closeness& closeness) {
  if (closeness.elements == 0) return;
  json["elements"] = closeness.elements;
  json["inexact"] = closeness.inexact;
  json["outside"] = closeness.outside;
  if (std::isinf(closeness.worst_ulps)) {
    json["worst_ulps"] = "nan";
  } else {
    // Up to 2^63, which int64_t does not have.
    json["worst_ulps"] = static_cast<uint64_t>(closeness.worst_ulps);
  }
  if (closeness.empty_bounds > 0) {
    json["empty_bounds"] = closeness.empty_bounds;
  }
  if (closeness.headroom) {
    json["of_bound"] = fmt::format("{:.6f}", *closeness.headroom);
  }
  if (closeness.level) json["level"] = *closeness.level;
}

/// What tells of each waiver of the run.
Json known_waivers(const RunIdentity& run) {
  Json known = Json::array();
  const auto add = [&](const Waiver& waiver, bool is_expired) {
    known.push_back({{"file", waiver.file},
                     {"number", waiver.number},
                     {"cases", waiver.cases},
                     {"reason", waiver.reason},
                     {"owner", waiver.owner},
                     {"expires", waiver.expires},
                     {"link", waiver.link},
                     {"expired", is_expired}});
  };
  for (const Waiver& waiver : run.active_waivers) add(waiver, false);
  for (const Waiver& waiver : run.expired_waivers) add(waiver, true);
  return known;
}

}  // namespace

std::string begin_event(const RunIdentity& run) {
  Json json = {{"event", "begin"},       {"backend", run.backend},
               {"cases", run.cases},     {"manifest", run.manifest},
               {"version", run.version}, {"build", run.build},
               {"profile", run.profile}, {"require", run.require},
               {"levels", run.levels},   {"raw", run.raw},
               {"waivers", run.waivers}, {"strict", run.strict},
               {"shard", run.shard},     {"of", run.of},
               {"command", run.command}};
  const Json known = known_waivers(run);
  if (!known.empty()) json["known_waivers"] = known;
  return dump(json);
}

std::string case_event(const Case& c, const Judgement& judgement,
                       int64_t position) {
  Json json = {{"event", "case"},
               {"position", position},
               {"id", c.id},
               {"verdict", name(judgement.verdict)},
               {"source", source_of(c)},
               {"file", c.file},
               {"line", c.line}};
  // What a report shows of it.
  if (is_failure(judgement.verdict) || is_broken(judgement.verdict)) {
    json["statement"] = c.statement;
  }
  if (!judgement.message.empty()) json["message"] = judgement.message;
  if (judgement.again) json["flaky"] = name(*judgement.again);
  if (!judgement.waiver.empty()) json["waiver"] = judgement.waiver;
  add_closeness(json, judgement.closeness);
  if (judgement.difference) {
    json["difference"] = to_json(*judgement.difference);
  }
  return dump(json);
}

std::string end_event(const Summary& summary, int exit_code) {
  const Family all = summary.total();
  Json verdicts = Json::object();
  for (const Verdict verdict : all_verdicts()) {
    verdicts[std::string(name(verdict))] = all.count(verdict);
  }
  return dump(Json{{"event", "end"},
                   {"cases", all.judged()},
                   {"verdicts", verdicts},
                   {"flaky", all.flaky},
                   {"waived", all.all_waived()},
                   {"exit_code", exit_code}});
}

std::string manifest(const std::vector<Case>& cases) {
  Sha256 hash;
  for (const Case& c : cases)
    hash.add(c.id + '\n' + c.hlo + c.stablehlo + '\n');
  return hash.finish();
}

}  // namespace hlo::conformance
