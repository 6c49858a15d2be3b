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

product {
  a = T[] parameter(0)
  b = T[] parameter(1)
  ROOT c = T[] multiply(a, b)
}

less {
  a = T[] parameter(0)
  b = T[] parameter(1)
  ROOT c = pred[] compare(a, b), direction=LT
}

at_least {
  a = T[] parameter(0)
  b = T[] parameter(1)
  ROOT c = pred[] compare(a, b), direction=GE
}

less_of_two {
  a = T[] parameter(0)
  b = T[] parameter(1)
  c = T[] parameter(2)
  d = T[] parameter(3)
  ROOT e = pred[] compare(b, a), direction=GT
}

count {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = s32[] add(a, b)
}

near {
  a = T[] parameter(0)
  b = T[] tanh(a)
  ROOT c = T[] multiply(a, b)
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
    {"running sum", R"(  x = T[30] parameter(0)
  e = T[30] logistic(x)
  z = T[] constant(0)
  ROOT r = T[30] reduce-window(e, z), window={size=30 pad=29_0}, to_apply=sum
)"},
    {"product", R"(  x = T[12] parameter(0)
  e = T[12] tanh(x)
  f = T[12] exponential(e)
  z = T[] constant(1)
  ROOT r = T[] reduce(f, z), dimensions={0}, to_apply=product
)"},
    {"scatter", R"(  x = T[8] parameter(0)
  y = T[24] parameter(1)
  t = T[24] sine(y)
  i = s32[24,1] constant({{0},{1},{2},{0},{5},{5},{5},{5},{5},{7},{7},{7},{0},{0},{0},{9},{1},{1},{1},{1},{1},{1},{1},{1}})
  ROOT r = T[8] scatter(x, i, t), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum
)"},
    {"pooling", R"(  x = T[24] parameter(0)
  y = T[8] parameter(1)
  t = T[8] tanh(y)
  z = T[] constant(0)
  ROOT r = T[24] select-and-scatter(x, t, z), window={size=3 stride=3}, select=at_least, scatter=sum
)"},
    {"map", R"(  x = T[20] parameter(0)
  e = T[20] sine(x)
  ROOT r = T[20] map(e), dimensions={0}, to_apply=near
)"},
    {"sort", R"(  x = T[3,12] parameter(0)
  t = T[3,12] tanh(x)
  ROOT r = T[3,12] sort(t), dimensions={1}, to_apply=less
)"},
    {"sort by key", R"(  x = T[20] parameter(0)
  y = T[20] parameter(1)
  t = T[20] cosine(x)
  s = (T[20], T[20]) sort(t, y), dimensions={0}, to_apply=less_of_two
  ROOT r = T[20] get-tuple-element(s), index=1
)"},
    {"topk", R"(  x = T[2,12] parameter(0)
  t = T[2,12] logistic(x)
  s = (T[2,5], s32[2,5]) topk(t), k=5, largest=true
  ROOT r = T[2,5] get-tuple-element(s), index=0
)"},
    {"integers", R"(  x = T[3,8] parameter(0)
  t = T[3,8] tanh(x)
  c = T[] constant(100)
  b = T[3,8] broadcast(c), dimensions={}
  m = T[3,8] multiply(t, b)
  i = s32[3,8] convert(m)
  d = s32[3,3] dot(i, i), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  z = s32[] constant(0)
  s = s32[3] reduce(d, z), dimensions={1}, to_apply=count
  ROOT r = T[3] convert(s)
)"},
});
// clang-format on

}  // namespace hlo::conformance
