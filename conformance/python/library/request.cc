#include "conformance/python/library/request.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "conformance/levels/profile_text.h"
#include "interpreter/counted.h"
#include "interpreter/error.h"
#include "interpreter/run/budget.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

using RequestJson = nlohmann::ordered_json;

constexpr int kMostDepth = 8;
constexpr int64_t kMostThreads = 64;
constexpr int64_t kMostDepthBack = 100;

[[noreturn]] void refuse_request(const std::string& what) {
  throw Error(Phase::kEvaluate, "usage.request", what);
}

RequestJson read_object(std::string_view text) {
  bool is_deep = false;
  using Event = RequestJson::parse_event_t;
  const auto bound = [&](int depth, Event event, const RequestJson&) {
    const bool opens =
        event == Event::object_start || event == Event::array_start;
    is_deep = is_deep || depth + int{opens} > kMostDepth;
    return !is_deep;
  };
  RequestJson json =
      RequestJson::parse(text, bound, /*allow_exceptions=*/false);
  if (is_deep || !json.is_object()) {
    refuse_request("the request is \"" + shortened(text) +
                   "\", but it must be a JSON object, nested at most 8 deep");
  }
  return json;
}

/// The field; `other` where there is none.
std::string text_of(const RequestJson& object, const char* key,
                    const char* other) {
  const auto found = object.find(key);
  if (found == object.end()) return other;
  if (!found->is_string()) {
    refuse_request(std::string(key) + " is no text, but it must be one");
  }
  return found->get<std::string>();
}

struct Interval {
  int64_t least;
  int64_t most;
};

int64_t read_number(const RequestJson& json, const char* key,
                    const Interval& interval) {
  const bool is_integer =
      json.is_number_integer() && (!json.is_number_unsigned() ||
                                   json.get<uint64_t>() <= uint64_t{INT64_MAX});
  const int64_t number = is_integer ? json.get<int64_t>() : interval.least - 1;
  if (number < interval.least || number > interval.most) {
    refuse_request(std::string(key) + " is " + shortened(json.dump()) +
                   ", but it must be a whole number from " +
                   std::to_string(interval.least) + " to " +
                   std::to_string(interval.most));
  }
  return number;
}

/// The field; `other` where there is none.
int64_t number_of(const RequestJson& object, const char* key,
                  const Interval& interval, int64_t other) {
  const auto found = object.find(key);
  return found == object.end() ? other : read_number(*found, key, interval);
}

/// [replica, partition]
std::optional<Device> device_of(const RequestJson& object) {
  const auto found = object.find("device");
  if (found == object.end()) return std::nullopt;
  if (!found->is_array() || found->size() != 2) {
    refuse_request("device is " + shortened(found->dump()) +
                   ", but it must be a list of a replica and a partition");
  }
  constexpr Interval kAny = {.least = 0, .most = INT64_MAX};
  return Device{read_number((*found)[0], "device", kAny),
                read_number((*found)[1], "device", kAny)};
}

Operation operation_of(const RequestJson& object) {
  constexpr std::array<std::pair<std::string_view, Operation>, 4> kNames = {{
      {"evaluate", Operation::kEvaluate},
      {"judge", Operation::kJudge},
      {"bounds", Operation::kBounds},
      {"explain", Operation::kExplain},
  }};
  const std::string text = text_of(object, "operation", "");
  const auto* found = std::ranges::find(
      kNames, text, [](const auto& row) { return row.first; });
  if (found == kNames.end()) {
    refuse_request("the operation is \"" + shortened(text) +
                   "\", but it must be evaluate, judge, bounds or explain");
  }
  return found->second;
}

Shape shape_of(const RequestJson& part) {
  const std::string type = part.is_object() ? text_of(part, "type", "") : "";
  const auto element_type = find_type(type);
  if (!element_type || !is_array_type(*element_type)) {
    refuse_request("an array has the type \"" + shortened(type) +
                   "\", but it must be an element type");
  }
  std::vector<int64_t> dims;
  const auto list = part.find("dims");
  if (list == part.end() || !list->is_array()) {
    refuse_request("an array has no list dims, but it must have one");
  }
  for (const RequestJson& size : *list) {
    if (!size.is_number_integer() || size.get<int64_t>() < 0) {
      refuse_request("a dimension is " + shortened(size.dump()) +
                     ", but it must be 0 or more");
    }
    dims.push_back(size.get<int64_t>());
  }
  return Shape::array(*element_type, std::move(dims));
}

/// Brings the bits that a type narrower than a byte leaves into the form that
/// literals have.
void fill_unused_bits(Literal& literal) {
  const ElementType type = literal.type();
  const int width = bits(type);
  if (width >= 8) return;
  const bool is_pred = type_class(type) == TypeClass::kPred;
  const unsigned mask = (1U << static_cast<unsigned>(width)) - 1;
  const unsigned sign = is_signed(type) ? (mask + 1) / 2 : 0;
  for (std::byte& byte : literal.mutable_bytes()) {
    const auto value = std::to_integer<unsigned>(byte);
    const unsigned low = is_pred ? unsigned{value != 0} : value & mask;
    byte = static_cast<std::byte>((low ^ sign) - sign);
  }
}

Literal to_literal(const RequestJson& part,
                   const std::vector<std::byte>& bytes) {
  const Shape shape = shape_of(part);
  const int64_t elements = shape.element_count();
  const auto each = static_cast<uint64_t>(storage_bytes(shape.element_type));
  if (bytes.size() % each != 0 ||
      bytes.size() / each != static_cast<uint64_t>(elements)) {
    refuse_request("an array " + to_string(shape, false) + " has " +
                   counted(std::ssize(bytes), "byte") +
                   ", but it must have those of its elements");
  }
  Literal literal(shape);
  std::ranges::copy(bytes, literal.mutable_bytes().begin());
  fill_unused_bits(literal);
  return literal;
}

std::vector<Literal> literals_of(
    const RequestJson& object, const char* key,
    std::span<const std::vector<std::byte>>& arrays) {
  std::vector<Literal> literals;
  const auto list = object.find(key);
  if (list == object.end()) return literals;
  if (!list->is_array() || list->size() > arrays.size()) {
    refuse_request(std::string(key) + " is no list of arrays that were given");
  }
  for (const RequestJson& part : *list) {
    literals.push_back(to_literal(part, arrays.front()));
    arrays = arrays.subspan(1);
  }
  return literals;
}

void read_limits(const RequestJson& object, Request& request) {
  constexpr Interval kAny = {.least = 0, .most = Budget::kEndless};
  request.max_work = number_of(object, "max_work", kAny, 0);
  request.max_memory = number_of(object, "max_memory", kAny, 0);
  request.threads = static_cast<int>(
      number_of(object, "threads", {.least = 1, .most = kMostThreads}, 1));
}

/// The element to explain, and how much is said of it.
void read_explained(const RequestJson& object, Request& request) {
  request.element = text_of(object, "element", "");
  request.depth = static_cast<int>(
      number_of(object, "depth", {.least = 1, .most = kMostDepthBack}, 1));
  request.terms =
      number_of(object, "terms", {.least = 0, .most = INT64_MAX}, 16);
  request.run = number_of(object, "run", {.least = 1, .most = INT64_MAX}, 1);
  request.device = device_of(object);
}

}  // namespace

Request read_request(std::string_view text,
                     std::span<const std::vector<std::byte>> arrays) {
  const RequestJson object = read_object(text);
  if (arrays.empty()) {
    refuse_request("there are no arrays, but the first must be the program");
  }
  Request request;
  request.operation = operation_of(object);
  request.profile = parse_profile(text_of(object, "profile", "tight"));
  read_limits(object, request);
  read_explained(object, request);
  request.program.assign(reinterpret_cast<const char*>(arrays.front().data()),
                         arrays.front().size());
  arrays = arrays.subspan(1);
  request.inputs = literals_of(object, "inputs", arrays);
  request.results = literals_of(object, "results", arrays);
  if (!arrays.empty()) {
    refuse_request("the request names " + counted(std::ssize(arrays), "array") +
                   " less than there are, but it must name all");
  }
  return request;
}

}  // namespace hlo::conformance
