#include "backends/process/worker_messages.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "interpreter/counted.h"
#include "interpreter/shortened.h"

namespace hlo::process {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostDepth = 8;
constexpr int64_t kVersion = 1;
constexpr uint64_t kMoreThanAsked = uint64_t{1} << 20U;
constexpr size_t kMostName = 200;
constexpr size_t kMostBatch = 64;
constexpr size_t kMostWords = 1000;  // of a message that is kept

[[noreturn]] void refuse(const std::string& what) {
  throw BadWorker("sent a header " + what);
}

/// The header as an object of that type.
Json read_header(const Frame& frame, std::string_view type) {
  bool is_deep = false;
  const auto bound = [&](int depth, Json::parse_event_t event, const Json&) {
    const bool opens = event == Json::parse_event_t::object_start ||
                       event == Json::parse_event_t::array_start;
    is_deep = is_deep || depth + int{opens} > kMostDepth;
    return !is_deep;
  };
  Json header = Json::parse(frame.header, bound, /*allow_exceptions=*/false);
  if (is_deep) refuse("that is nested more than 8 deep");
  if (!header.is_object()) {
    refuse("\"" + shortened(frame.header) + "\", but it must be a JSON object");
  }
  const auto found = header.find("type");
  if (found == header.end() || *found != std::string(type)) {
    refuse("\"" + shortened(frame.header) + "\", but its type must be \"" +
           std::string(type) + "\"");
  }
  return header;
}

/// The text; empty where there is none.
std::string text_of(const Json& object, const char* key, size_t most) {
  const auto found = object.find(key);
  if (found == object.end()) return {};
  if (!found->is_string()) {
    refuse("whose \"" + std::string(key) + "\" is no text, but must be one");
  }
  std::string text = shortened(found->get_ref<const std::string&>(), most);
  std::ranges::replace(text, '\0', '?');  // errors end there
  return text;
}

bool is_true(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && *found == true;
}

/// A number from 1 on, 1 where there is none; no more than are ever sent.
size_t read_batch(const Json& header) {
  const auto found = header.find("batch");
  if (found == header.end()) return 1;
  if (!found->is_number_unsigned() || *found == 0U) {
    refuse("whose \"batch\" must be a number from 1 on");
  }
  return std::min<size_t>(found->get<uint64_t>(), kMostBatch);
}

/// Seconds; less than a frame of several cases may take at all.
double read_pace(const Json& header) {
  constexpr double kLeast = 0.5;
  constexpr double kMost = 4;
  const auto found = header.find("pace");
  if (found == header.end()) return kLeast;
  if (!found->is_number() || found->get<double>() < kLeast ||
      found->get<double>() > kMost) {
    refuse("whose \"pace\" must be a number of seconds from 0.5 to 4");
  }
  return found->get<double>();
}

/// Which of the two texts the field is: the second.
bool is_second(const Json& object, const char* key,
               const std::array<std::string_view, 2>& texts) {
  const std::string text = text_of(object, key, kMostName);
  if (text != texts[0] && text != texts[1]) {
    refuse("whose \"" + std::string(key) + "\" is \"" + shortened(text) +
           "\", but must be " + std::string(texts[0]) + " or " +
           std::string(texts[1]));
  }
  return text == texts[1];
}

/// Texts of backends may be no UTF-8.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json parts_json(const std::vector<Part>& parts) {
  Json list = Json::array();
  for (const Part& part : parts) {
    list.push_back({{"shape", part.shape}, {"bytes", part.bytes}});
  }
  return list;
}

/// The list that the field must be.
const Json& list_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) {
    refuse("without a list \"" + std::string(key) + "\", which it must have");
  }
  return *found;
}

Part read_part(const Json& json) {
  if (!json.is_object()) refuse("with a result that is no object");
  Part part{.shape = text_of(json, "shape", kMostHeader)};
  const auto bytes = json.find("bytes");
  if (bytes == json.end() || !bytes->is_number_unsigned()) {
    refuse("with a result whose \"bytes\" is no number, but must be one");
  }
  part.bytes = bytes->get<uint64_t>();
  return part;
}

/// Takes the bytes of the results from what is left of a body.
void take_results(Answer& answer, const Json& list, std::string_view& left) {
  for (const Json& json : list) {
    Part part = read_part(json);
    if (part.bytes > left.size()) {
      refuse("with a result of " + counted(part.bytes, "byte") +
             " where the body has no more than " + std::to_string(left.size()));
    }
    answer.bytes.emplace_back(left.substr(0, part.bytes));
    left.remove_prefix(part.bytes);
    answer.results.push_back(std::move(part));
  }
}

struct Refusal {
  const char* field;
  Answer::Kind kind;
};

constexpr std::array<Refusal, 4> kRefusals = {{
    {"unsupported", Answer::Kind::kUnsupported},
    {"rejected", Answer::Kind::kRejected},
    {"failed", Answer::Kind::kFailed},
    {"crashed", Answer::Kind::kCrashed},
}};

Answer read_answer(const Json& json, const Request& request,
                   std::string_view& left) {
  if (!json.is_object()) refuse("with an answer that is no object");
  const auto found = json.find("id");
  if (found == json.end() || *found != request.id) {
    refuse("with an answer to another case than was asked");
  }
  Answer answer;
  size_t kinds = 0;
  for (const auto& [field, kind] : kRefusals) {
    if (!json.contains(field)) continue;
    ++kinds;
    answer.kind = kind;
    answer.message = text_of(json, field, kMostWords);
  }
  if (json.contains("results")) {
    ++kinds;
    answer.kind = Answer::Kind::kResults;
    take_results(answer, list_of(json, "results"), left);
  }
  if (kinds != 1) {
    refuse(
        "with an answer that must have one of results, unsupported, rejected, "
        "failed and crashed");
  }
  return answer;
}

bool is_word(const Json& json) {
  if (!json.is_string()) return false;
  const auto& text = json.get_ref<const std::string&>();
  return !text.empty() && text.size() <= kMostName &&
         std::ranges::none_of(
             text, [](char c) { return (c >= 0 && c <= ' ') || c == 0x7f; });
}

std::vector<std::string> read_tags(const Json& header) {
  constexpr int64_t kMostTags = 64;
  std::vector<std::string> tags;
  if (!header.contains("tags")) return tags;
  const Json& list = list_of(header, "tags");
  for (const Json& tag : list) {
    if (!is_word(tag) || std::ssize(tags) == kMostTags) {
      refuse("whose tags must be at most " + counted(kMostTags, "word") +
             " without spaces and control characters, none longer than " +
             counted(static_cast<int64_t>(kMostName), "byte"));
    }
    tags.push_back(tag.get<std::string>());
  }
  return tags;
}

}  // namespace

Frame hello_frame() {
  return {.header = dump({{"type", "hello"},
                          {"versions", Json::array({kVersion})},
                          {"parts", true}}),
          .body = {}};
}

Hello read_hello(const Frame& frame) {
  const Json header = read_header(frame, "hello");
  const std::string error = text_of(header, "error", kMostWords);
  if (!error.empty()) throw BadWorker("cannot start: " + error);
  const auto version = header.find("version");
  if (version == header.end() || *version != kVersion) {
    refuse("without the version 1, which was offered and must be chosen");
  }
  if (!frame.body.empty())
    refuse("of a hello with a body, which must be empty");
  return {.name = text_of(header, "name", kMostName),
          .release = text_of(header, "release", kMostName),
          .wants_stablehlo = is_second(header, "program", {"hlo", "stablehlo"}),
          .wants_layouts = is_second(header, "layouts", {"dense", "explicit"}),
          .runs_devices = is_true(header, "devices"),
          .batch = read_batch(header),
          .answers_in_parts = is_true(header, "parts"),
          .pace = read_pace(header),
          .tags = read_tags(header)};
}

Request to_request(int64_t id, std::string program,
                   const std::vector<Part>& inputs,
                   const std::vector<Part>& results, std::string_view bytes) {
  Request request{.id = id, .head = {}, .body = {}};
  request.head = dump({{"id", id},
                       {"program", program.size()},
                       {"inputs", parts_json(inputs)},
                       {"results", parts_json(results)}});
  request.body = std::move(program);
  request.body += bytes;
  for (const Part& part : results) request.asked += part.bytes;
  return request;
}

Frame run_frame(std::span<const Request> requests) {
  Frame frame{.header = R"({"type":"run","cases":[)", .body = {}};
  for (const Request& request : requests) {
    if (!frame.body.empty()) frame.header += ',';
    frame.header += request.head;
    frame.body += request.body;
  }
  frame.header += "]}";
  return frame;
}

uint64_t most_answered(std::span<const Request> requests) {
  uint64_t bytes = kMoreThanAsked;
  for (const Request& request : requests) bytes += request.asked;
  return bytes < kMostBody ? bytes : kMostBody;
}

std::vector<Answer> read_answers(const Frame& frame,
                                 std::span<const Request> requests,
                                 bool in_parts) {
  const Json header = read_header(frame, "answers");
  const Json& list = list_of(header, "answers");
  const size_t least =
      in_parts ? std::min<size_t>(requests.size(), 1) : requests.size();
  if (list.size() < least || list.size() > requests.size()) {
    refuse("with a number of answers of " + std::to_string(list.size()) +
           ", but it must be " + (in_parts ? "from 1 to " : "") +
           std::to_string(requests.size()));
  }
  std::string_view left = frame.body;
  std::vector<Answer> answers;
  for (size_t i = 0; i < list.size(); ++i) {
    const size_t before = left.size();
    answers.push_back(read_answer(list[i], requests[i], left));
    if (before - left.size() > most_answered(requests.subspan(i, 1))) {
      refuse("with an answer that is longer than it may be");
    }
  }
  if (!left.empty()) {
    refuse("whose results end " + counted(std::ssize(left), "byte") +
           " before the body does, but must be all of it");
  }
  return answers;
}

}  // namespace hlo::process
