#include "backends/cpu/plan/steps/narrow_lanes.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/cpu/graph/build_graph.h"
#include "backends/cpu/plan/steps/fuse.h"
#include "backends/registry/make_backend.h"
#include "interpreter/verify/verify.h"

namespace hlo::cpu {
namespace {

struct Chain {
  const char* what;
  size_t lane_bytes;
  const char* body;  // of x and y, up to r
};

// 67 times 61 elements: no whole vectors.
constexpr Chain kChains[] = {
    {"signed numbers that wrap before they are ordered", 1,
     "x = s8[67,61] parameter(0) y = s8[67,61] parameter(1) "
     "a = s8[67,61] multiply(x, y) b = s8[67,61] add(a, x) "
     "c = s8[67,61] maximum(b, y) d = s8[67,61] subtract(c, x) "
     "l = pred[67,61] compare(d, y), direction=LT "
     "ROOT r = s8[67,61] select(l, d, a)"},
    {"numbers without signs", 1,
     "x = u8[67,61] parameter(0) y = u8[67,61] parameter(1) "
     "a = u8[67,61] subtract(x, y) b = u8[67,61] minimum(a, y) "
     "c = u8[67,61] maximum(b, a) l = pred[67,61] compare(c, x), direction=GE "
     "n = u8[67,61] negate(b) ROOT r = u8[67,61] select(l, n, c)"},
    {"one sign for the other", 1,
     "x = s8[67,61] parameter(0) y = s8[67,61] parameter(1) "
     "a = u8[67,61] convert(x) b = u8[67,61] convert(y) "
     "c = u8[67,61] maximum(a, b) d = s8[67,61] convert(c) "
     "e = s8[67,61] abs(d) ROOT r = s8[67,61] minimum(e, x)"},
    {"truth values as numbers and back", 1,
     "x = u8[67,61] parameter(0) y = u8[67,61] parameter(1) "
     "p = pred[67,61] convert(x) q = pred[67,61] compare(x, y), direction=NE "
     "n = pred[67,61] not(p) o = pred[67,61] xor(n, q) "
     "c = u8[67,61] convert(o) d = u8[67,61] add(c, y) "
     "ROOT r = pred[67,61] convert(d)"},
    {"16 bits with truth values inside", 2,
     "x = s16[67,61] parameter(0) y = s16[67,61] parameter(1) "
     "a = s16[67,61] multiply(x, y) b = s16[67,61] abs(a) "
     "l = pred[67,61] compare(b, y), direction=LE m = s16[67,61] maximum(a, y) "
     "ROOT r = s16[67,61] select(l, m, b)"},
    {"rows and one number", 1,
     "w = s8[61] parameter(0) y = s8[67,61] parameter(1) "
     "x = s8[67,61] broadcast(w), dimensions={1} n = s8[] constant(-3) "
     "c = s8[67,61] broadcast(n), dimensions={} a = s8[67,61] multiply(x, c) "
     "ROOT r = s8[67,61] add(a, y)"},
    {"truth values out of 16 bits", 4,
     "x = u16[67,61] parameter(0) y = u16[67,61] parameter(1) "
     "a = u16[67,61] add(x, y) "
     "ROOT r = pred[67,61] compare(a, y), direction=LT"},
    {"16 bits between 8", 4,
     "x = s8[67,61] parameter(0) y = s8[67,61] parameter(1) "
     "a = s16[67,61] convert(x) b = s16[67,61] convert(y) "
     "c = s16[67,61] multiply(a, b) d = s16[67,61] maximum(c, a) "
     "ROOT r = s8[67,61] convert(d)"},
    {"8 bits between 16", 4,
     "x = s16[67,61] parameter(0) y = s16[67,61] parameter(1) "
     "a = s8[67,61] convert(x) b = s16[67,61] convert(a) "
     "ROOT r = s16[67,61] add(b, y)"},
    {"floats between", 4,
     "x = s8[67,61] parameter(0) y = s8[67,61] parameter(1) "
     "a = f32[67,61] convert(x) b = s8[67,61] convert(a) "
     "ROOT r = s8[67,61] add(b, y)"},
    {"shifts, which read bits in front", 4,
     "x = u8[67,61] parameter(0) y = u8[67,61] parameter(1) "
     "a = u8[67,61] add(x, y) ROOT r = u8[67,61] shift-right-logical(a, y)"},
};

std::vector<Buffer> random_arguments(const Module& module) {
  std::mt19937 engine(11);
  std::vector<Buffer> arguments;
  for (const Instruction* parameter : module.entry->parameters) {
    Buffer& own = arguments.emplace_back();
    own.shape = parameter->shape;
    own.bytes.resize(
        static_cast<size_t>(parameter->shape.element_count() *
                            storage_bytes(own.shape.element_type)));
    for (std::byte& byte : own.bytes) byte = static_cast<std::byte>(engine());
  }
  return arguments;
}

Bytes result_of(const char* backend, const Module& module) {
  const Outcome outcome =
      make_backend(backend)->run(module, random_arguments(module));
  return std::get<std::vector<Buffer>>(outcome).at(0).bytes;
}

TEST(NarrowLanes, AreUsedWhereTheyGiveTheSameAndGiveIt) {
  for (const Chain& chain : kChains) {
    SCOPED_TRACE(chain.what);
    const Module module =
        verified_module(std::string("ENTRY e { ") + chain.body + " }");
    const std::vector<Step> steps = make_steps(*make_graph(*module.entry));
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].program.lane_bytes, chain.lane_bytes);
    EXPECT_EQ(result_of("cpu:", module), result_of("interpreter:", module));
  }
}

}  // namespace
}  // namespace hlo::cpu
