#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "conformance/fingerprint/fingerprint_report.h"
#include "conformance/fingerprint/tree_families.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using Json = nlohmann::ordered_json;

/// "f32:3f800000"
std::string code(double value, ElementType type) {
  const auto& row = numeric::format(type);
  return fmt::format("{}:{:0{}x}", name(type), numeric::encode(value, row),
                     (row.width() + 3) / 4);
}

Json codes(const std::vector<double>& values, ElementType type) {
  Json list = Json::array();
  for (const double value : values) list.push_back(code(value, type));
  return list;
}

Json to_json(const Refutation& refutation, const SummedOperation& operation) {
  Json json = {{"a", codes(refutation.a, operation.operand)}};
  if (operation.has_products()) {
    json["b"] = codes(refutation.b, operation.operand);
  }
  json["backend"] = code(refutation.machine, operation.result);
  json["model"] = code(refutation.model, operation.result);
  return json;
}

Json to_json(const ModelWords& words) {
  Json json = Json::object();
  const auto put = [&](const char* key, const std::string& text) {
    if (!text.empty()) json[key] = text;
  };
  put("order", words.order);
  put("products", words.products);
  put("operands", words.operands);
  put("blocks", words.blocks);
  put("additions", words.adds);
  put("joins", words.joins);
  put("result", words.result);
  return json;
}

Json to_json(const NodeWidth& width) {
  Json roundings = Json::array();
  for (const UnitRounding rounding : width.roundings) {
    roundings.push_back(std::string(name(rounding)));
  }
  return {{"bits", width.bits},
          {"at_least", width.at_least},
          {"by_result", width.by_result},
          {"roundings", roundings}};
}

Json to_json(const UnitObservations& seen) {
  Json json = Json::object();
  const auto put = [&](const char* key, const NodeWidth& width) {
    if (width.seen) json[key] = to_json(width);
  };
  put("additions", seen.step);
  put("joins", seen.join);
  put("blocks", seen.block);
  put("within_blocks", seen.in_block);
  json["operand_bits"] = seen.operand_bits;
  if (!seen.fused.empty()) json["fused"] = seen.fused;
  json["flushes_operands"] = seen.flushes_operands;
  json["flushes_products"] = seen.flushes_products;
  json["flushes_sums"] = seen.flushes_sums;
  Json specials = Json::array();
  for (const SpecialCase& one : seen.specials) {
    specials.push_back(
        {{"case", one.name}, {"wanted", one.wanted}, {"found", one.found}});
  }
  json["specials"] = specials;
  return json;
}

Json to_json(const SummationTree& tree) {
  return {
      {"name", tree_name(tree)}, {"hash", tree.hash()}, {"tree", tree.text()}};
}

Json to_json(const ArrangedReplay& replayed) {
  if (!replayed.is_supported) return "unsupported";
  Json json = {{"sums", replayed.result.sums},
               {"equal", replayed.result.equal}};
  if (!replayed.own) return json;
  const UnitModel& model = *replayed.own->model;
  json["own"] = {{"order", to_json(model.tree)},
                 {"model", to_json(words(model))},
                 {"sums", replayed.own->result.sums},
                 {"equal", replayed.own->result.equal}};
  return json;
}

Json to_json(const SumFingerprint& sum) {
  Json json = {{"terms", sum.operation.terms},
               {"status", std::string(name(sum.explained))}};
  if (!sum.message.empty()) json["message"] = sum.message;
  json["calls"] = sum.calls;
  json["same_in_time"] = sum.steadiness.in_time;
  json["same_in_place"] = sum.steadiness.in_place;
  if (const auto& first = sum.steadiness.first) {
    json["refuted"] = to_json(*first, sum.operation);
  }
  if (!sum.order.tree) return json;
  json["order"] = to_json(*sum.order.tree);
  json["order"]["probes"] = sum.order.probes;
  json["probes"] = to_json(sum.seen);
  const bool found = sum.found.model.has_value();
  if (found) json["model"] = to_json(words(*sum.found.model));
  if (!found && sum.found.result.first) {
    json["closest_model"] = to_json(words(sum.found.closest));
  }
  json["models"] = sum.found.candidates;
  for (const ArrangedReplay& one : sum.arranged) {
    json["arranged"][std::string(name(one.arrangement))] = to_json(one);
  }
  json["drawn"] = {{"sums", sum.found.result.sums},
                   {"equal", sum.found.result.equal},
                   {"other_zeros", sum.found.result.other_zeros}};
  if (const auto& first = sum.found.result.first) {
    json["refuted"] = to_json(*first, sum.operation);
  }
  return json;
}

}  // namespace

std::string fingerprint_json(const FingerprintIdentity& identity,
                             std::span<const OperationFingerprint> found) {
  Json operations = Json::array();
  for (const OperationFingerprint& one : found) {
    Json sums = Json::array();
    for (const SumFingerprint& sum : one.sums) sums.push_back(to_json(sum));
    operations.push_back({{"operation", std::string(name(one.kind))},
                          {"operands", std::string(name(one.operand))},
                          {"result", std::string(name(one.result))},
                          {"status", std::string(name(one.explained()))},
                          {"sums", sums}});
  }
  const Json json = {{"backend", identity.backend},
                     {"version", identity.version},
                     {"build", identity.build},
                     {"operations", operations}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hlo::conformance
