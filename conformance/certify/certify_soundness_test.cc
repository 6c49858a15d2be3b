#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "conformance/certify/certify.h"
#include "conformance/certify/testing/machine.h"
#include "conformance/certify/testing/soundness_programs.h"
#include "conformance/levels/profile_text.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

struct Program {
  std::string name;
  std::string text;
};

Program program(const ProgramBody& body, const std::string& type) {
  std::string text =
      fmt::format("{}\nENTRY main {{\n{}}}\n", kReducers, body.text);
  for (size_t at = text.find("T["); at != std::string::npos;
       at = text.find("T[", at + 1)) {
    text.replace(at, 1, type);
  }
  return {fmt::format("{} {}", body.name, type), text};
}

std::vector<Program> programs() {
  std::vector<Program> all;
  for (const char* type : {"f32", "f64", "bf16", "f16"}) {
    for (const ProgramBody& body : kPrograms) {
      all.push_back(program(body, type));
    }
  }
  return all;
}

/// Kinds of inputs: ordinary numbers, cancelling ones, subnormal ones, huge
/// ones, and 1 followed by halves of its last place, each of which a sum from
/// the left loses.
constexpr int kKinds = 5;

double draw(std::mt19937_64& random, int kind, const numeric::FloatFormat& f) {
  const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
  const double sign = (random() & 1) != 0 ? 1 : -1;
  const int least = f.min_exponent();
  switch (kind) {
    case 0:
      return sign * unit;
    case 1:
      return sign * std::ldexp(1 + unit, static_cast<int>(random() % 20) - 4);
    case 2:
      return sign *
             std::ldexp(unit, least + static_cast<int>(random() % 4) - 1);
    default:
      return sign * std::ldexp(1 + unit, f.max_exponent() -
                                             static_cast<int>(random() % 8));
  }
}

std::vector<Literal> inputs(const Module& module, int kind, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Literal> all;
  for (const Instruction* parameter : module.entry->parameters) {
    Literal literal(parameter->shape);
    const numeric::FloatFormat& format = numeric::format(literal.type());
    const int64_t n = literal.element_count();
    for (int64_t i = 0; i < n; ++i) {
      uint64_t code = numeric::encode(draw(random, kind, format), format);
      // The second half takes back the first, but for a few.
      if (kind == 1 && i >= n / 2 && random() % 8 != 0) {
        code = literal.at(i - n / 2).bits[0] ^ format.sign_mask();
      }
      if (kind == 4) {
        const double half = std::ldexp(1.0, -format.precision());
        code = numeric::encode(i == 0 ? 1.0 : half, format);
      }
      literal.set(i, {.type = literal.type(), .bits = {code, 0}});
    }
    all.push_back(literal);
  }
  return all;
}

Profile profile_of(const Machine& machine) {
  return parse_profile(
      !machine.daz && !machine.ftz ? "tight" : "tight,subnormals=daz+ftz");
}

struct Tally {
  int64_t checked = 0;
  int64_t outside = 0;
  int64_t open = 0;
  double of_bound = 0;  // the largest error over its bound
};

double number(Place place, ElementType type) {
  return numeric::decode(code_at(place, type), numeric::format(type));
}

void note(Tally& tally, const ValueSet& set, const Scalar& nominal,
          const Scalar& actual) {
  ++tally.checked;
  if (!set.contains(actual.bits[0], actual.type)) ++tally.outside;
  const numeric::FloatFormat& format = numeric::format(actual.type);
  const double exact = numeric::decode(nominal.bits[0], format);
  const double value = numeric::decode(actual.bits[0], format);
  if (!set.has_numbers()) return;
  const double end =
      number(value < exact ? set.low() : set.high(), actual.type);
  if (!std::isfinite(end) || set.has_nan()) {
    ++tally.open;
  } else if (std::isfinite(value) && value != exact) {
    tally.of_bound = std::max(tally.of_bound, (value - exact) / (end - exact));
  }
}

void compare(Tally& tally, const Machine& machine, const Module& module,
             const std::vector<Literal>& arguments, const SetTree& certified,
             uint64_t seed) {
  const std::vector<Literal> actual =
      simulate(machine, module, arguments, seed);
  for (int64_t i = 0; i < actual[0].element_count(); ++i) {
    note(tally, certified.at(i), certified.value.at(i), actual[0].at(i));
  }
}

/// Runs the program on every machine that conforms to the profile.
void run_machines(Tally& tally, const Program& p, int kind,
                  const Profile& asked) {
  const Module module = verified_module(p.text);
  const auto arguments = inputs(module, kind, 7 + static_cast<uint64_t>(kind));
  const SetTree certified = certify(module, arguments, {.profile = asked});
  ASSERT_FALSE(certified.is_unknown()) << p.name << certified.reason();
  for (const Machine& machine : conforming_machines()) {
    if (profile_of(machine) != asked) continue;
    const int64_t before = tally.outside;
    compare(tally, machine, module, arguments, certified, 11);
    EXPECT_EQ(tally.outside, before)
        << p.name << ", " << machine.name << ", inputs " << kind;
  }
}

TEST(Soundness, NoConformingMachineLeavesItsSet) {
  ASSERT_GE(conforming_machines().size(), 20U);
  fmt::print("{:<16} {:>8} {:>8} {:>9}\n", "program", "checked", "open",
             "of bound");
  for (const Program& p : programs()) {
    Tally tally;
    for (int kind = 0; kind < kKinds; ++kind) {
      run_machines(tally, p, kind, parse_profile("tight"));
      run_machines(tally, p, kind, parse_profile("tight,subnormals=daz+ftz"));
    }
    fmt::print("{:<16} {:>8} {:>8} {:>9.3f}\n", p.name, tally.checked,
               tally.open, tally.of_bound);
  }
}

TEST(Soundness, FaultyMachinesAreCaught) {
  for (const Machine& machine : faulty_machines()) {
    Tally tally;
    for (const Program& p : programs()) {
      const Module module = verified_module(p.text);
      const auto arguments = inputs(module, 0, 5);
      compare(tally, machine, module, arguments, certify(module, arguments), 3);
    }
    fmt::print("{:<16} {} of {} outside\n", machine.name, tally.outside,
               tally.checked);
    EXPECT_GT(tally.outside, 0) << machine.name;
  }
}

}  // namespace
}  // namespace hlo::conformance
