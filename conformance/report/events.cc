#include "conformance/report/events.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

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
    json["worst_ulps"] = static_cast<int64_t>(closeness.worst_ulps);
  }
  if (closeness.empty_bounds > 0) {
    json["empty_bounds"] = closeness.empty_bounds;
  }
  if (closeness.headroom) {
    json["of_bound"] = fmt::format("{:.6f}", *closeness.headroom);
  }
}

}  // namespace

std::string begin_event(const std::string& backend,
                        const std::vector<Case>& cases) {
  return dump(Json{{"event", "begin"},
                   {"backend", backend},
                   {"cases", cases.size()},
                   {"manifest", manifest(cases)}});
}

std::string case_event(const Case& c, const Judgement& judgement) {
  Json json = {{"event", "case"},
               {"id", c.id},
               {"verdict", name(judgement.verdict)},
               {"source", c.from_reference ? "reference" : "exact"},
               {"file", c.file},
               {"line", c.line}};
  if (!judgement.message.empty()) json["message"] = judgement.message;
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
                   {"cases", all.cases()},
                   {"verdicts", verdicts},
                   {"exit_code", exit_code}});
}

std::string manifest(const std::vector<Case>& cases) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(
      EVP_MD_CTX_new(), EVP_MD_CTX_free);
  bool good = context != nullptr &&
              EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  for (const Case& c : cases) {
    const std::string text = c.id + '\n' + c.hlo + '\n';
    good =
        good && EVP_DigestUpdate(context.get(), text.data(), text.size()) == 1;
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  good = good && EVP_DigestFinal_ex(context.get(), digest.data(), &size) == 1;
  if (!good) throw std::runtime_error("SHA-256 is not available");
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) {
    hex += fmt::format("{:02x}", digest.at(i));
  }
  return hex;
}

}  // namespace hlo::conformance
