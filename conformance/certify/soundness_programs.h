#pragma once

#include <array>
#include <string_view>

// The programs of the test of this folder; no program includes it.
namespace hlo::conformance {

struct ProgramBody {
  std::string_view name;
  std::string_view text;  // of the entry computation, T for the type
};

/// What the bodies call.
inline constexpr std::string_view kReducers = R"(HloModule m

sum {
  a = T[] parameter(0)
  b = T[] parameter(1)
  ROOT c = T[] add(a, b)
}

most {
  a = T[] parameter(0)
  b = T[] parameter(1)
  ROOT c = T[] maximum(a, b)
}
)";

// clang-format off
inline constexpr auto kPrograms = std::to_array<ProgramBody>({
    {"sum", R"(  x = T[60] parameter(0)
  z = T[] constant(0)
  ROOT r = T[] reduce(x, z), dimensions={0}, to_apply=sum
)"},
    {"dot", R"(  x = T[3,40] parameter(0)
  y = T[40,2] parameter(1)
  ROOT r = T[3,2] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
)"},
    {"softmax", R"(  x = T[2,20] parameter(0)
  l = T[] constant(-inf)
  m = T[2] reduce(x, l), dimensions={1}, to_apply=most
  mb = T[2,20] broadcast(m), dimensions={0}
  d = T[2,20] subtract(x, mb)
  e = T[2,20] exponential(d)
  z = T[] constant(0)
  s = T[2] reduce(e, z), dimensions={1}, to_apply=sum
  sb = T[2,20] broadcast(s), dimensions={0}
  ROOT r = T[2,20] divide(e, sb)
)"},
    {"tanh", R"(  x = T[40] parameter(0)
  ROOT r = T[40] tanh(x)
)"},
    {"layer", R"(  x = T[3,20] parameter(0)
  w = T[20,4] parameter(1)
  h = T[3,4] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t = T[3,4] tanh(h)
  g = T[3,4] logistic(h)
  p = T[3,4] multiply(t, g)
  z = T[] constant(0)
  zb = T[3,4] broadcast(z), dimensions={}
  ROOT r = T[3,4] maximum(p, zb)
)"},
    {"variance", R"(  x = T[30] parameter(0)
  z = T[] constant(0)
  n = T[] constant(30)
  s = T[] reduce(x, z), dimensions={0}, to_apply=sum
  m = T[] divide(s, n)
  mb = T[30] broadcast(m), dimensions={}
  d = T[30] subtract(x, mb)
  q = T[30] multiply(d, d)
  v = T[] reduce(q, z), dimensions={0}, to_apply=sum
  e = T[] divide(v, n)
  ROOT r = T[] rsqrt(e)
)"},
    {"branches", R"(  x = T[24] parameter(0)
  y = T[24] parameter(1)
  s = T[24] sine(x)
  c = T[24] cosine(y)
  p = pred[24] compare(s, c), direction=LT
  l = T[24] log(s)
  n = T[24] negate(c)
  o = T[24] select(p, l, n)
  ROOT r = T[24] floor(o)
)"},
});
// clang-format on

}  // namespace hlo::conformance
