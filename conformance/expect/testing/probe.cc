#include "conformance/expect/testing/probe.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "conformance/expect/expect_module.h"
#include "conformance/judge/judge.h"
#include "conformance/levels/profile_text.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/sets/membership.h"
#include "conformance/sets/testing/number_line.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance::testing {

Literal literal(const Shape& shape, const std::vector<double>& parts) {
  Literal result(shape);
  const auto& format = numeric::format(component_type(shape.element_type));
  const auto count = static_cast<size_t>(components(shape.element_type));
  for (int64_t i = 0; i < result.element_count(); ++i) {
    Scalar element{.type = shape.element_type, .bits = {}};
    for (size_t k = 0; k < count; ++k) {
      element.bits.at(k) =
          numeric::encode(parts.at(static_cast<size_t>(i) * count + k), format);
    }
    result.set(i, element);
  }
  return result;
}

Probe::Probe(const std::string& text, std::vector<Literal> operands,
             const std::string& profile)
    : module_(verified_module("HloModule m\n\n" + text)),
      operands_(std::move(operands)),
      profile_(parse_profile(profile)),
      reference_(run_reference(module_, operands_)),
      sets_(expect_module(module_, operands_, nullptr, profile_)) {}

const Shape& Probe::operand_shape(size_t k) const {
  return operands_[k].shape();
}

ElementType Probe::type(const Part& at) const {
  return component_type(reference_[at.leaf].type());
}

double Probe::decoded(const Part& at) const {
  const Scalar element = reference_[at.leaf].at(at.element);
  const uint64_t code = element.bits.at(static_cast<size_t>(at.part));
  return numeric::decode(code, numeric::format(type(at)));
}

mpq_class Probe::value(const Part& at) const { return {decoded(at)}; }

bool Probe::is_number(const Part& at) const {
  return std::isfinite(decoded(at));
}

bool Probe::admits(const Part& at, uint64_t code) const {
  std::vector<Literal> observed = reference_;
  Scalar element = observed[at.leaf].at(at.element);
  element.bits.at(static_cast<size_t>(at.part)) = code;
  observed[at.leaf].set(at.element, element);
  const auto sets = expect_module(module_, operands_, &observed, profile_);
  const bool conforms = judge(sets, observed).verdict == Verdict::kConforms;
  if (const auto* set = std::get_if<ArraySet>(&sets_[at.leaf])) {
    EXPECT_EQ(contains(*set, at.element, element).inside, conforms);
  }
  return conforms;
}

std::string Probe::differs_from(const Part& at, const mpq_class& center,
                                const mpq_class& error) const {
  const NumberLine line(type(at));
  const mpq_class more = error * (1 + power_of_two(-19)) + line.least();
  std::string wrong;
  const auto check = [&](int64_t place, bool expected) {
    if (place < line.first() || place > line.last()) return;
    if (admits(at, line.code(place)) == expected) return;
    wrong += fmt::format(" {} {}", expected ? "lacks" : "holds",
                         line.value(place).get_d());
  };
  check(line.floor(center + error), true);
  check(line.ceil(center - error), true);
  check(line.floor(center + more) + 1, false);
  check(line.ceil(center - more) - 1, false);
  for (const uint64_t nan : line.quiet_nans()) {
    if (admits(at, nan)) wrong += " holds NaN";
  }
  return wrong.empty() ? ""
                       : fmt::format("leaf {}, element {}, part {}: {} +- {}{}",
                                     at.leaf, at.element, at.part,
                                     center.get_d(), error.get_d(), wrong);
}

std::string Probe::differs_from_anything(const Part& at) const {
  const NumberLine line(type(at));
  std::string wrong;
  for (const int64_t place : {line.first(), line.zero(true), line.last()}) {
    if (!admits(at, line.code(place))) {
      wrong += fmt::format("lacks {} ", line.value(place).get_d());
    }
  }
  for (const uint64_t nan : line.quiet_nans()) {
    if (!admits(at, nan)) wrong += "lacks NaN";
  }
  return wrong;
}

}  // namespace hlo::conformance::testing
