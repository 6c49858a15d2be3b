#include "backends/abi/worker/served_messages.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "interpreter/counted.h"
#include "interpreter/shortened.h"

namespace hlo::abi {
namespace {

using process::Answer;
using process::Frame;
using process::Part;
using Json = nlohmann::ordered_json;

constexpr uint64_t kVersion = 1;

[[noreturn]] void refuse(const std::string& what) {
  throw std::runtime_error("was sent " + what);
}

Json read_header(const Frame& frame, const char* type) {
  Json header = Json::parse(frame.header, nullptr, /*allow_exceptions=*/false);
  if (!header.is_object() || !header.contains("type") ||
      header["type"] != type) {
    refuse("\"" + shortened(frame.header) +
           "\", but it must be an object of the type \"" + type + "\"");
  }
  return header;
}

const Json& field(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) {
    refuse("an object without \"" + std::string(key) + "\"");
  }
  return object[key];
}

uint64_t number(const Json& object, const char* key) {
  const Json& value = field(object, key);
  if (!value.is_number_unsigned()) {
    refuse("\"" + std::string(key) + "\", which must be a number");
  }
  return value.get<uint64_t>();
}

/// That many bytes, taken off what is left of a body.
std::string_view take(std::string_view& left, uint64_t size) {
  if (size > left.size()) {
    refuse("a case with " + counted(size, "byte") +
           " where the body has no more than " + std::to_string(left.size()));
  }
  const std::string_view taken = left.substr(0, size);
  left.remove_prefix(size);
  return taken;
}

std::vector<Part> read_parts(const Json& list) {
  std::vector<Part> parts;
  for (const Json& json : list) {
    const Json& shape = field(json, "shape");
    if (!shape.is_string()) refuse("a shape, which must be a text");
    parts.push_back(
        {.shape = shape.get<std::string>(), .bytes = number(json, "bytes")});
  }
  return parts;
}

ServedCase read_case(const Json& json, std::string_view& left) {
  ServedCase served;
  served.id = static_cast<int64_t>(number(json, "id"));
  served.program = take(left, number(json, "program"));
  served.inputs = read_parts(field(json, "inputs"));
  served.results = read_parts(field(json, "results"));
  for (const Part& part : served.inputs) {
    served.bytes += take(left, part.bytes);
  }
  return served;
}

const char* refusal_of(Answer::Kind kind) {
  if (kind == Answer::Kind::kUnsupported) return "unsupported";
  return kind == Answer::Kind::kRejected ? "rejected" : "failed";
}

Json parts_of(const Answer& answer) {
  Json parts = Json::array();
  for (const Part& part : answer.results) {
    parts.push_back({{"shape", part.shape}, {"bytes", part.bytes}});
  }
  return parts;
}

/// Texts of libraries may be no UTF-8.
std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

bool read_greeting(const Frame& frame) {
  const Json header = read_header(frame, "hello");
  const Json& versions = field(header, "versions");
  for (const Json& version : versions) {
    if (version == kVersion) return header.value("parts", Json(false)) == true;
  }
  refuse("a hello that does not offer version 1, the only one known here");
}

Frame hello_answer(const process::Hello& hello) {
  return {.header =
              text_of({{"type", "hello"},
                       {"version", kVersion},
                       {"name", hello.name},
                       {"release", hello.release},
                       {"program", hello.wants_stablehlo ? "stablehlo" : "hlo"},
                       {"layouts", hello.wants_layouts ? "explicit" : "dense"},
                       {"devices", hello.runs_devices},
                       {"batch", hello.batch},
                       {"parts", hello.answers_in_parts},
                       {"tags", hello.tags}}),
          .body = {}};
}

Frame hello_refusal(std::string_view why) {
  return {.header = text_of({{"type", "hello"}, {"error", why}}), .body = {}};
}

std::vector<ServedCase> read_cases(const Frame& frame) {
  const Json header = read_header(frame, "run");
  std::string_view left = frame.body;
  std::vector<ServedCase> cases;
  for (const Json& json : field(header, "cases")) {
    cases.push_back(read_case(json, left));
  }
  if (!left.empty()) {
    refuse("cases that end " + counted(std::ssize(left), "byte") +
           " before the body does");
  }
  return cases;
}

Frame answers_frame(std::span<const ServedCase> cases,
                    std::span<const Answer> answers) {
  Frame frame;
  Json list = Json::array();
  for (size_t i = 0; i < cases.size(); ++i) {
    const Answer& answer = answers[i];
    Json json = {{"id", cases[i].id}};
    if (answer.kind == Answer::Kind::kResults) {
      json["results"] = parts_of(answer);
      for (const std::string& bytes : answer.bytes) frame.body += bytes;
    } else {
      json[refusal_of(answer.kind)] = answer.message;
    }
    list.push_back(std::move(json));
  }
  frame.header = text_of({{"type", "answers"}, {"answers", std::move(list)}});
  return frame;
}

}  // namespace hlo::abi
