#include "conformance/certify/image/behaviour.h"

#include <algorithm>
#include <array>
#include <limits>

namespace hlo::conformance {
namespace {

using Kind = Behaviour::Kind;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr std::array<Stretch, 1> kAll = {{{-kInfinity, kInfinity}}};
constexpr std::array<Stretch, 2> kHalves = {
    {{-kInfinity, -0.0}, {0.0, kInfinity}}};
constexpr std::array<Stretch, 1> kRoots = {{{-0.0, kInfinity}}};
constexpr std::array<Stretch, 2> kInverseRoots = {
    {{-0.0, -0.0}, {0.0, kInfinity}}};
constexpr std::array<Stretch, 1> kUnit = {{{-1, 1}}};
constexpr std::array<Stretch, 1> kFromOne = {{{1, kInfinity}}};
constexpr std::array<Stretch, 1> kFromMinusOne = {{{-1, kInfinity}}};
constexpr std::array<Stretch, 3> kPowers = {
    {{-kInfinity, -0.0}, {0.0, 1}, {1, kInfinity}}};

struct Row {
  std::string_view operation;
  Behaviour behaviour;
};

// Products and quotients are monotone in each factor where the other keeps its
// sign, the angle atan2 within a quadrant.
constexpr std::array kRows = std::to_array<Row>({
    {"abs", {Kind::kMonotone, kHalves}},
    {"acos", {Kind::kMonotone, kUnit}},
    {"acosh", {Kind::kMonotone, kFromOne}},
    {"add", {Kind::kMonotone, kAll}},
    {"asin", {Kind::kMonotone, kUnit}},
    {"asinh", {Kind::kMonotone, kAll}},
    {"atan2", {Kind::kMonotone, kHalves}},
    {"atanh", {Kind::kMonotone, kUnit}},
    {"cbrt", {Kind::kMonotone, kAll}},
    {"ceil", {Kind::kMonotone, kAll}},
    {"clamp", {Kind::kMonotone, kAll}},
    {"compare", {Kind::kCompare, {}}},
    {"convert", {Kind::kMonotone, kAll}},
    {"cosh", {Kind::kMonotone, kHalves}},
    {"cosine", {Kind::kWave, kAll}},
    {"divide", {Kind::kMonotone, kHalves}},
    {"erf", {Kind::kMonotone, kAll}},
    {"exponential", {Kind::kMonotone, kAll}},
    {"exponential-minus-one", {Kind::kMonotone, kAll}},
    {"floor", {Kind::kMonotone, kAll}},
    {"is-finite", {Kind::kFinite, {}}},
    {"log", {Kind::kMonotone, kRoots}},
    {"log-plus-one", {Kind::kMonotone, kFromMinusOne}},
    {"logistic", {Kind::kMonotone, kAll}},
    {"maximum", {Kind::kMonotone, kAll}},
    {"minimum", {Kind::kMonotone, kAll}},
    {"multiply", {Kind::kMonotone, kHalves}},
    {"negate", {Kind::kMonotone, kAll}},
    {"power", {Kind::kPower, kPowers}},
    {"reduce-precision", {Kind::kMonotone, kAll}},
    {"remainder", {Kind::kRemainder, kHalves}},
    {"round-nearest-afz", {Kind::kMonotone, kAll}},
    {"round-nearest-even", {Kind::kMonotone, kAll}},
    {"rsqrt", {Kind::kMonotone, kInverseRoots}},
    {"select", {Kind::kSelect, {}}},
    {"sign", {Kind::kMonotone, kAll}},
    {"sine", {Kind::kWave, kAll}},
    {"sinh", {Kind::kMonotone, kAll}},
    {"sqrt", {Kind::kMonotone, kRoots}},
    {"subtract", {Kind::kMonotone, kAll}},
    {"tan", {Kind::kTangent, kAll}},
    {"tanh", {Kind::kMonotone, kAll}},
});

}  // namespace

Behaviour behaviour(std::string_view operation) {
  const auto* row = std::ranges::find(kRows, operation, &Row::operation);
  return row == kRows.end() ? Behaviour{} : row->behaviour;
}

}  // namespace hlo::conformance
