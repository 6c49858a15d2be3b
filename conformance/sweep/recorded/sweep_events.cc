#include "conformance/sweep/recorded/sweep_events.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <numeric>

#include "conformance/levels/level.h"
#include "conformance/sweep/error_units.h"
#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 2> kAxes = {"levels", "flushing"};

/// Text of any bytes: what is not UTF-8 is replaced.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// "3f800000", or "3f800000:40000000" of a number with two parts; an imaginary
/// one of +0 is left out.
std::string hex(const SweepCode& code) {
  return code[1] == 0 ? fmt::format("{:x}", code[0])
                      : fmt::format("{:x}:{:x}", code[0], code[1]);
}

Json to_json(const SweepOperands& operands) {
  return Json::array({hex(operands[0]), hex(operands[1])});
}

Json to_json(const SweepCount& count) {
  return {{"count", count.count}, {"first", to_json(count.first)}};
}

/// All but the event's name.
void add_tally(Json& json, const SweepTally& tally) {
  json["elements"] = tally.elements;
  json["same"] = tally.same;
  json["measured"] = tally.measured;
  json["sum"] = tally.sum;
  if (tally.worst.units >= 0) {
    json["worst"] = {{"units", tally.worst.units},
                     {"operands", to_json(tally.worst.operands)},
                     {"actual", hex(tally.worst.actual)},
                     {"reference", hex(tally.worst.reference)}};
    if (tally.worst.part != 0) json["worst"]["part"] = tally.worst.part;
  }
  Json histogram = Json::object();
  for (size_t i = 0; i < kSweepBuckets; ++i) {
    const int64_t count = tally.histogram.at(i);
    if (count > 0) histogram[std::to_string(bucket_begin(i))] = count;
  }
  json["histogram"] = histogram;
  Json faults = Json::object();
  for (size_t i = 0; i < kSweepFaults; ++i) {
    if (tally.faults.at(i).count == 0) continue;
    faults[std::string(name(static_cast<SweepFault>(i)))] =
        to_json(tally.faults.at(i));
  }
  json["faults"] = faults;
  json["peaks"] = tally.peaks;
  json["odd"] = tally.odd;
  json["even"] = tally.even;
  for (size_t axes = 0; axes < kAxes.size(); ++axes) {
    Json failed = Json::object();
    const auto& levels = tally.levels.at(axes);
    for (size_t rank = 0; rank < levels.size(); ++rank) {
      if (levels.at(rank).count == 0) continue;
      failed[all_levels()[rank].name] = to_json(levels.at(rank));
    }
    json[std::string(kAxes.at(axes))] = failed;
  }
}

[[noreturn]] void fail(std::string_view what) {
  throw Error(Phase::kParse, "sweep.file",
              fmt::format("a line of the file has {}, but it must be what a "
                          "sweep wrote",
                          shortened(what)));
}

const Json& member(const Json& json, std::string_view name) {
  const auto found = json.find(name);
  if (found == json.end()) fail(fmt::format("no \"{}\"", name));
  return *found;
}

/// So that sums of all chunks stay in their type.
constexpr uint64_t kMost = uint64_t{1} << 52U;

int64_t whole(const Json& json) {
  if (!json.is_number_unsigned() || json.get<uint64_t>() > kMost) {
    fail("a number that is none from 0 to 2^52");
  }
  return static_cast<int64_t>(json.get<uint64_t>());
}

std::vector<int64_t> peaks(const Json& json) {
  if (!json.is_array()) fail("peaks that are no list");
  std::vector<int64_t> peaks;
  for (const Json& peak : json) {
    peaks.push_back(peak == Json(-1) ? -1 : whole(peak));
  }
  return peaks;
}

bool truth(const Json& json) {
  if (!json.is_boolean()) fail("neither true nor false");
  return json.get<bool>();
}

uint64_t hexadecimal(std::string_view text) {
  uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value, 16);
  if (read.ec != std::errc() || read.ptr != end) fail("a code that is not hex");
  return value;
}

SweepCode code(const Json& json) {
  if (!json.is_string()) fail("a code that is no text");
  const std::string_view text = json.get_ref<const std::string&>();
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {hexadecimal(text)};
  return {hexadecimal(text.substr(0, colon)),
          hexadecimal(text.substr(colon + 1))};
}

SweepOperands operands(const Json& json) {
  if (!json.is_array() || json.size() != 2) fail("operands that are not two");
  return {code(json[0]), code(json[1])};
}

SweepCount count(const Json& json) {
  if (!json.is_object()) fail("a count that is no object");
  const int64_t count = whole(member(json, "count"));
  if (count == 0) fail("a count of 0, which is not written");
  return {count, operands(member(json, "first"))};
}

const Json& object(const Json& json, std::string_view name) {
  const Json& found = member(json, name);
  if (!found.is_object()) fail(fmt::format("a \"{}\" that is no object", name));
  return found;
}

std::string words(const Json& json, std::string_view name) {
  const Json& found = member(json, name);
  if (!found.is_string()) fail(fmt::format("a \"{}\" that is no text", name));
  return found.get<std::string>();
}

SweepWorst worst(const Json& json) {
  if (!json.is_object()) fail("a worst element that is no object");
  SweepWorst worst;
  worst.units = whole(member(json, "units"));
  worst.operands = operands(member(json, "operands"));
  worst.actual = code(member(json, "actual"));
  worst.reference = code(member(json, "reference"));
  if (json.contains("part")) worst.part = whole(json["part"]);
  if (worst.part > 1) fail("a part that is neither 0 nor 1");
  return worst;
}

void read_histogram(const Json& json, SweepTally& tally) {
  for (size_t i = 0; i < kSweepBuckets; ++i) {
    const auto found = json.find(std::to_string(bucket_begin(i)));
    if (found != json.end()) tally.histogram.at(i) = whole(*found);
  }
}

void read_levels(const Json& json, std::vector<SweepCount>& levels) {
  levels.resize(all_levels().size());
  for (size_t rank = 0; rank < levels.size(); ++rank) {
    const auto found = json.find(all_levels()[rank].name);
    if (found != json.end()) levels.at(rank) = count(*found);
  }
}

/// So that what is told of the errors has a meaning.
void check_numbers(const SweepTally& tally) {
  const int64_t counted = std::accumulate(tally.histogram.begin(),
                                          tally.histogram.end(), int64_t{0});
  const int64_t worst = tally.worst.units;
  if (tally.same > tally.elements) fail("more \"same\" than \"elements\"");
  if (tally.measured > 2 * tally.elements) {
    fail("more \"measured\" than \"elements\" have parts");
  }
  if (counted != tally.measured) {
    fail("a histogram of more or fewer than \"measured\"");
  }
  if ((worst >= 0) != (tally.measured > 0) || worst > kMostUnits) {
    fail("a largest error of none that are measured, or none, or a larger one");
  }
}

SweepTally tally_of(const Json& json) {
  SweepTally tally;
  tally.elements = whole(member(json, "elements"));
  tally.same = whole(member(json, "same"));
  tally.measured = whole(member(json, "measured"));
  tally.sum = static_cast<uint64_t>(whole(member(json, "sum")));
  if (json.contains("worst")) tally.worst = worst(json["worst"]);
  read_histogram(object(json, "histogram"), tally);
  const Json& faults = object(json, "faults");
  for (size_t i = 0; i < kSweepFaults; ++i) {
    const auto found = faults.find(name(static_cast<SweepFault>(i)));
    if (found != faults.end()) tally.faults.at(i) = count(*found);
  }
  const Json& both = member(json, "peaks");
  if (!both.is_array() || both.size() != 2) fail("peaks that are not two");
  tally.peaks = {peaks(both[0]), peaks(both[1])};
  tally.odd = truth(member(json, "odd"));
  tally.even = truth(member(json, "even"));
  for (size_t axes = 0; axes < kAxes.size(); ++axes) {
    read_levels(object(json, kAxes.at(axes)), tally.levels.at(axes));
  }
  check_numbers(tally);
  return tally;
}

}  // namespace

std::string sweep_begin(const SweepIdentity& sweep) {
  return dump(Json{{"event", "begin"},
                   {"sweep", sweep.operation},
                   {"type", sweep.type},
                   {"range", sweep.range},
                   {"backend", sweep.backend},
                   {"profile", sweep.profile},
                   {"units_per_ulp", kUnitsPerUlp},
                   {"version", sweep.version},
                   {"build", sweep.build},
                   {"chunks", sweep.chunks}});
}

std::string sweep_chunk(int64_t chunk, const SweepTally& tally) {
  Json json = {{"event", "chunk"}, {"chunk", chunk}};
  add_tally(json, tally);
  return dump(json);
}

std::string sweep_end(const SweepTally& total, int exit_code) {
  Json json = {{"event", "end"}};
  add_tally(json, total);
  json.erase("peaks");  // the chunks have them
  json["exit_code"] = exit_code;
  return dump(json);
}

SweepIdentity read_sweep_begin(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  const bool begins = json.is_object() &&
                      json.value("event", Json()) == "begin" &&
                      json.contains("sweep");
  if (!begins) fail("no beginning of a sweep");
  return {.backend = words(json, "backend"),
          .operation = words(json, "sweep"),
          .type = words(json, "type"),
          .range = words(json, "range"),
          .profile = words(json, "profile"),
          .version = words(json, "version"),
          .build = words(json, "build"),
          .chunks = whole(member(json, "chunks"))};
}

RecordedChunk read_sweep_chunk(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || json.value("event", Json()) != "chunk") {
    fail("no chunk");
  }
  RecordedChunk recorded;
  recorded.chunk = whole(member(json, "chunk"));
  recorded.tally = tally_of(json);
  return recorded;
}

}  // namespace hlo::conformance
