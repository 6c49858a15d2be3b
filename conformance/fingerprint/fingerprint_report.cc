#include "conformance/fingerprint/fingerprint_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/fingerprint/tree_families.h"
#include "interpreter/counted.h"
#include "interpreter/numeric/format/float_format.h"

namespace hlo::conformance {
namespace {

std::string format_words(const UnitFormat& format) {
  std::string flushed =
      format.flushes ? "; subnormal results become zeros" : "";
  if (format.flushed_precision != 0) flushed += " before they are rounded";
  return fmt::format("{} bits, {}{}", format.precision, name(format.rounding),
                     flushed);
}

std::string order_words(const SummationTree& tree) {
  const std::string name = tree_name(tree);
  return name.empty() ? "an order without a name" : name;
}

/// Which kinds of nodes a tree has.
struct Kinds {
  bool step = false;
  bool join = false;
  bool block = false;
};

Kinds kinds_of(const SummationTree& tree) {
  Kinds kinds;
  for (int node = 0; node <= tree.root(); ++node) {
    const auto& children = tree.at(node).children;
    if (children.empty()) continue;
    const bool has_term = std::ranges::any_of(
        children, [&](int child) { return tree.is_leaf(child); });
    kinds.block = kinds.block || children.size() > 2;
    kinds.step = kinds.step || (children.size() == 2 && has_term);
    kinds.join = kinds.join || (children.size() == 2 && !has_term);
  }
  return kinds;
}

std::string fused_words(const UnitModel& model) {
  switch (model.products) {
    case Products::kRounded:
      return "rounded to " + format_words(model.product);
    case Products::kFusedLater:
      return "fused with the addition; of the two terms that come first the "
             "one with the greater number";
    case Products::kFusedEarlier:
      return "fused with the addition; of the two terms that come first the "
             "one with the lesser number";
    case Products::kExact:
      break;
  }
  return "exact";
}

std::string products_words(const UnitModel& model) {
  std::string rest;
  if (model.rest != RoundedRest::kNone) {
    rest = fmt::format("; {} rounded to {}",
                       model.rest == RoundedRest::kLast
                           ? "the one that is added last"
                           : "where they are added to a sum of sums",
                       format_words(model.product));
  }
  return fused_words(model) + rest;
}

std::string operand_words(const UnitModel& model) {
  const OperandRule& rule = model.operands;
  const int precision = numeric::format(model.operand).precision();
  std::string text = "as they are";
  if (rule.precision < precision) {
    text = fmt::format("rounded to {} bits, {}", rule.precision,
                       name(rule.rounding));
    if (rule.pieces > 1) {
      text = fmt::format("cut into {} numbers of {} bits, {}; {} products",
                         rule.pieces, rule.precision, name(rule.rounding),
                         rule.pieces * (rule.pieces + 1) / 2);
    }
  }
  return text + (rule.flushes ? "; subnormal ones are taken as zeros" : "");
}

std::string block_words(const BlockRule& rule) {
  if (rule.fraction >= BlockRule::kExact) {
    return "added exactly, then rounded to " + format_words(rule.result);
  }
  return fmt::format(
      "aligned to the largest exponent{}, {} bits below it kept, the rest cut "
      "off {}; the sum has {}",
      rule.alignment == Alignment::kFactors ? " of the factors" : "",
      rule.fraction, rule.floors ? "downward" : "toward zero",
      format_words(rule.result));
}

void add_line(std::string& text, std::string_view what,
              std::string_view words) {
  if (!words.empty()) text += fmt::format("  {:<10} {}\n", what, words);
}

void add_model(std::string& text, const UnitModel& model) {
  const ModelWords all = words(model);
  add_line(text, "products", all.products);
  add_line(text, "operands", all.operands);
  add_line(text, "blocks", all.blocks);
  add_line(text, "additions", all.adds);
  add_line(text, "joins", all.joins);
  add_line(text, "result", all.result);
}

std::string order_of(const SumFingerprint& sum) {
  if (sum.explained == Explained::kUnsupported) return "unsupported";
  if (!sum.order.tree) return "not found";
  return order_words(*sum.order.tree);
}

/// The orders of all numbers of terms, those with one name together.
void add_orders(std::string& text, const OperationFingerprint& fingerprint) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const SumFingerprint& sum : fingerprint.sums) {
    const std::string order = order_of(sum);
    const std::string terms = std::to_string(sum.operation.terms);
    if (!lines.empty() && lines.back().first == order) {
      lines.back().second += ", " + terms;
    } else {
      lines.emplace_back(order, terms);
    }
  }
  for (const auto& [order, terms] : lines) {
    add_line(text, "order", fmt::format("{} (of {} terms)", order, terms));
  }
}

void add_specials(std::string& text, const UnitObservations& seen) {
  std::string all;
  for (const SpecialCase& one : seen.specials) {
    const bool as_wanted = one.wanted.empty() || one.found == one.wanted;
    all += fmt::format("{}{}: {}{}", all.empty() ? "" : "; ", one.name,
                       one.found, as_wanted ? "" : " instead of " + one.wanted);
  }
  add_line(text, "specials", all);
}

/// The arrangements of operands for which the model gives the bits, too, and
/// those that have another one.
void add_arranged(std::string& text, const SumFingerprint& sum) {
  std::string all;
  for (const ArrangedReplay& one : sum.arranged) {
    all +=
        fmt::format("{}{}: ", all.empty() ? "" : "; ", name(one.arrangement));
    const ReplayResult& result = one.own ? one.own->result : one.result;
    all += one.is_supported ? fmt::format("{} of {} equal", result.equal,
                                          counted(result.sums, "drawn sum"))
                            : "unsupported";
    if (one.own) all += ", by a model of its own";
  }
  add_line(text, "arranged", all);
  for (const ArrangedReplay& one : sum.arranged) {
    if (!one.own) continue;
    add_line(text, "its own", std::string(name(one.arrangement)));
    add_line(text, "order", words(*one.own->model).order);
    add_model(text, *one.own->model);
  }
}

/// The terms that refute a model, without those that are zero.
void add_refutation(std::string& text, const SumFingerprint& sum,
                    const Refutation& refutation, std::string_view model) {
  constexpr int kShown = 8;
  int shown = 0;
  std::string terms;
  for (size_t i = 0; i < refutation.a.size(); ++i) {
    if (refutation.a[i] == 0) continue;
    if (++shown > kShown) continue;
    terms +=
        fmt::format("{}{}: {:a}", shown > 1 ? ", " : "", i, refutation.a[i]);
    if (sum.operation.has_products()) {
      terms += fmt::format(" * {:a}", refutation.b[i]);
    }
  }
  if (shown > kShown) terms += fmt::format(" and {} more", shown - kShown);
  add_line(text, "refuted by", "terms " + terms);
  add_line(text, "",
           fmt::format("the backend gives {:a}, {} {:a}", refutation.machine,
                       model, refutation.model));
}

std::string head(const SumFingerprint& sum) {
  const ReplayResult& result = sum.found.result;
  if (sum.explained == Explained::kYes) {
    return fmt::format("explained bit for bit: {} of {} terms",
                       counted(result.sums, "drawn sum"), sum.operation.terms);
  }
  if (sum.explained == Explained::kButZeros) {
    return fmt::format("explained but for the signs of {}: {} of {} terms",
                       counted(result.other_zeros, "zero"),
                       counted(result.sums, "drawn sum"), sum.operation.terms);
  }
  return fmt::format("{}: {}", name(sum.explained), sum.message);
}

/// The one that says most: the first that is not explained, else the last.
const SumFingerprint& shown(const OperationFingerprint& fingerprint) {
  for (const SumFingerprint& sum : fingerprint.sums) {
    if (sum.explained > Explained::kButZeros) return sum;
  }
  return fingerprint.sums.back();
}

}  // namespace

ModelWords words(const UnitModel& model) {
  const Kinds kinds = kinds_of(model.tree);
  ModelWords all;
  all.order = order_words(model.tree);
  if (model.has_products) all.products = products_words(model);
  all.operands = operand_words(model);
  if (kinds.block) all.blocks = block_words(model.block);
  if (kinds.step) all.adds = format_words(model.step);
  const bool other = kinds.join && (!kinds.step || model.join != model.step);
  if (other) all.joins = format_words(model.join);
  const int last = kinds.block && !kinds.step && !kinds.join
                       ? model.block.result.precision
                       : model.join.precision;
  const int precision = numeric::format(model.result).precision();
  if (precision < last) {
    all.result = fmt::format("rounded to {} bits at the end, {}", precision,
                             name(model.output));
  }
  return all;
}

std::string report(const OperationFingerprint& fingerprint) {
  const SumFingerprint& sum = shown(fingerprint);
  std::string text = fmt::format("{} {} -> {}: {}\n", name(fingerprint.kind),
                                 name(fingerprint.operand),
                                 name(fingerprint.result), head(sum));
  if (sum.explained == Explained::kUnsupported) return text;
  add_orders(text, fingerprint);
  if (const auto& first = sum.steadiness.first) {
    add_refutation(text, sum, *first, "and also");
  }
  if (!sum.order.tree) return text;
  if (sum.found.model) add_model(text, *sum.found.model);
  if (const auto& first = sum.found.result.first; !sum.found.model && first) {
    add_line(text, "closest",
             fmt::format("{} of {} equal", sum.found.result.equal,
                         counted(sum.found.result.sums, "drawn sum")));
    add_model(text, sum.found.closest);
    add_refutation(text, sum, *first, "that model");
  }
  add_arranged(text, sum);
  add_specials(text, sum.seen);
  return text;
}

}  // namespace hlo::conformance
