#include "backends/cpu/kernels/tile_program.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/run_ops.cc"
#define HWY_DISABLED_TARGETS (HWY_AVX3_DL | HWY_SSE4 | HWY_SSSE3)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<float> kFloats;
const hn::ScalableTag<int32_t> kInts;
const hn::ScalableTag<double> kDoubles;
const hn::Rebind<float, decltype(kDoubles)> kHalfFloats;
const hn::Rebind<int32_t, decltype(kDoubles)> kHalfInts;

using Floats = hn::Vec<decltype(kFloats)>;
using Ints = hn::Vec<decltype(kInts)>;
using Doubles = hn::Vec<decltype(kDoubles)>;

/// One operation on all lanes of some registers.
struct Lanes {
  const TileOp& op;
  std::byte* const* registers;
  size_t n;

  float* floats(size_t operand) const {
    return reinterpret_cast<float*>(registers[op.operands[operand]]);
  }

  int32_t* ints(size_t operand) const {
    return reinterpret_cast<int32_t*>(registers[op.operands[operand]]);
  }

  float* out() const { return reinterpret_cast<float*>(registers[op.out]); }

  int32_t* out_ints() const {
    return reinterpret_cast<int32_t*>(registers[op.out]);
  }
};

template <class F>
void unary(const Lanes& lanes, F f) {
  const float* x = lanes.floats(0);
  float* out = lanes.out();
  for (size_t i = 0; i < lanes.n; i += hn::Lanes(kFloats)) {
    hn::StoreU(f(hn::LoadU(kFloats, x + i)), kFloats, out + i);
  }
}

template <class F>
void binary(const Lanes& lanes, F f) {
  const float* x = lanes.floats(0);
  const float* y = lanes.floats(1);
  float* out = lanes.out();
  for (size_t i = 0; i < lanes.n; i += hn::Lanes(kFloats)) {
    hn::StoreU(f(hn::LoadU(kFloats, x + i), hn::LoadU(kFloats, y + i)), kFloats,
               out + i);
  }
}

template <class F>
void binary_ints(const Lanes& lanes, F f) {
  const int32_t* x = lanes.ints(0);
  const int32_t* y = lanes.ints(1);
  int32_t* out = lanes.out_ints();
  for (size_t i = 0; i < lanes.n; i += hn::Lanes(kInts)) {
    hn::StoreU(f(hn::LoadU(kInts, x + i), hn::LoadU(kInts, y + i)), kInts,
               out + i);
  }
}

template <class F>
void unary_ints(const Lanes& lanes, F f) {
  const int32_t* x = lanes.ints(0);
  int32_t* out = lanes.out_ints();
  for (size_t i = 0; i < lanes.n; i += hn::Lanes(kInts)) {
    hn::StoreU(f(hn::LoadU(kInts, x + i)), kInts, out + i);
  }
}

template <class M>
Ints as_pred(M mask) {
  return hn::IfThenElseZero(hn::RebindMask(kInts, mask), hn::Set(kInts, 1));
}

template <class F>
void compare(const Lanes& lanes, F f) {
  binary(lanes, [&](Floats x, Floats y) {
    return hn::BitCast(kFloats, as_pred(f(x, y)));
  });
}

template <class F>
void compare_ints(const Lanes& lanes, F f) {
  binary_ints(lanes, [&](Ints x, Ints y) { return as_pred(f(x, y)); });
}

/// Rounded to float; Highway's code without vectors has no infinity there.
auto narrowed(Doubles x) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  HWY_ALIGN double from[HWY_LANES(double)];
  HWY_ALIGN float to[HWY_LANES(double)];
  hn::Store(x, kDoubles, from);
  for (size_t i = 0; i < HWY_LANES(double); ++i) {
    to[i] = static_cast<float>(from[i]);
  }
  return hn::Load(kHalfFloats, to);
#else
  return hn::DemoteTo(kHalfFloats, x);
#endif
}

/// A function of f32 that is computed in double and rounded once.
template <class F>
void in_double(const Lanes& lanes, F f) {
  const float* x = lanes.floats(0);
  float* out = lanes.out();
  for (size_t i = 0; i < lanes.n; i += hn::Lanes(kDoubles)) {
    const Doubles wide = hn::PromoteTo(kDoubles, hn::LoadU(kHalfFloats, x + i));
    const auto is_nan = hn::IsNaN(wide);
    const Doubles y = f(hn::IfThenElse(is_nan, hn::Zero(kDoubles), wide));
    const Doubles result = hn::IfThenElse(is_nan, hn::Add(wide, wide), y);
    hn::StoreU(narrowed(result), kHalfFloats, out + i);
  }
}

/// NaN where either is; -0 lies below +0.
Floats maximum(Floats x, Floats y) {
  const Floats larger = hn::IfThenElse(hn::Gt(x, y), x, y);
  const Floats ordered = hn::IfThenElse(hn::Eq(x, y), hn::And(x, y), larger);
  const auto is_nan = hn::Or(hn::IsNaN(x), hn::IsNaN(y));
  return hn::IfThenElse(is_nan, hn::Add(x, y), ordered);
}

Floats minimum(Floats x, Floats y) {
  const Floats smaller = hn::IfThenElse(hn::Lt(x, y), x, y);
  const Floats ordered = hn::IfThenElse(hn::Eq(x, y), hn::Or(x, y), smaller);
  const auto is_nan = hn::Or(hn::IsNaN(x), hn::IsNaN(y));
  return hn::IfThenElse(is_nan, hn::Add(x, y), ordered);
}

/// True of NaN, which Highway's Ne is not everywhere.
auto unequal(Floats x, Floats y) { return hn::Not(hn::Eq(x, y)); }

Doubles clamped(Doubles x, double limit) {
  return hn::Min(hn::Max(x, hn::Set(kDoubles, -limit)),
                 hn::Set(kDoubles, limit));
}

struct Expm1 {
  Doubles scaled;  // 2^n (e^r - 1)
  Doubles power;   // 2^n
};

/// e^x = power + scaled, for |x| <= 200; the series of e^r - 1 ends within
/// 2^-30 of it, relative, for |r| <= log(2) / 2.
Expm1 expm1_parts(Doubles x) {
  const Doubles n =
      hn::Round(hn::Mul(x, hn::Set(kDoubles, 0x1.71547652b82fep0)));
  Doubles r = hn::Sub(x, hn::Mul(n, hn::Set(kDoubles, 0x1.62e42feep-1)));
  r = hn::Sub(r, hn::Mul(n, hn::Set(kDoubles, 0x1.a39ef35793c76p-33)));
  Doubles sum = hn::Set(kDoubles, 1.0 / 362880);
  constexpr double kRest[] = {1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120,
                              1.0 / 24,    1.0 / 6,    0.5,       1.0};
  for (const double term : kRest) {
    sum = hn::Add(hn::Mul(sum, r), hn::Set(kDoubles, term));
  }
  const hn::Rebind<int64_t, decltype(kDoubles)> longs;
  const auto exponent = hn::PromoteTo(longs, hn::DemoteTo(kHalfInts, n));
  const Doubles power = hn::BitCast(
      kDoubles, hn::ShiftLeft<52>(hn::Add(exponent, hn::Set(longs, 1023))));
  return {hn::Mul(power, hn::Mul(sum, r)), power};
}

Doubles exponential(Doubles x) {
  const Expm1 parts = expm1_parts(clamped(x, 200));
  return hn::Add(parts.scaled, parts.power);
}

Doubles tanh_of(Doubles x) {
  const Doubles one = hn::Set(kDoubles, 1);
  const Expm1 parts = expm1_parts(clamped(hn::Add(x, x), 80));
  const Doubles em1 = hn::Add(parts.scaled, hn::Sub(parts.power, one));
  const Doubles y = hn::Div(em1, hn::Add(em1, hn::Add(one, one)));
  return hn::CopySign(y, x);
}

Doubles logistic(Doubles x) {
  const Doubles one = hn::Set(kDoubles, 1);
  return hn::Div(one, hn::Add(one, exponential(hn::Neg(x))));
}

Doubles rsqrt(Doubles x) { return hn::Div(hn::Set(kDoubles, 1), hn::Sqrt(x)); }

/// Towards zero; the nearest end beyond the range, 0 for NaN.
Ints to_s32(Floats x) {
  const auto above = hn::Ge(x, hn::Set(kFloats, 0x1p31F));
  const auto below = hn::Lt(x, hn::Set(kFloats, -0x1p31F));
  const auto inside = hn::AndNot(hn::Or(above, below), hn::Eq(x, x));
  Ints result = hn::ConvertTo(kInts, hn::IfThenElseZero(inside, x));
  result = hn::IfThenElse(hn::RebindMask(kInts, above),
                          hn::Set(kInts, INT32_MAX), result);
  return hn::IfThenElse(hn::RebindMask(kInts, below), hn::Set(kInts, INT32_MIN),
                        result);
}

void select(const Lanes& lanes) {
  const int32_t* chosen = lanes.ints(0);
  const int32_t* x = lanes.ints(1);
  const int32_t* y = lanes.ints(2);
  for (size_t i = 0; i < lanes.n; i += hn::Lanes(kInts)) {
    const auto mask = hn::Ne(hn::LoadU(kInts, chosen + i), hn::Zero(kInts));
    hn::StoreU(
        hn::IfThenElse(mask, hn::LoadU(kInts, x + i), hn::LoadU(kInts, y + i)),
        kInts, lanes.out_ints() + i);
  }
}

void clamp(const Lanes& lanes) {
  const float* low = lanes.floats(0);
  const float* x = lanes.floats(1);
  const float* high = lanes.floats(2);
  for (size_t i = 0; i < lanes.n; i += hn::Lanes(kFloats)) {
    const Floats raised =
        maximum(hn::LoadU(kFloats, x + i), hn::LoadU(kFloats, low + i));
    hn::StoreU(minimum(raised, hn::LoadU(kFloats, high + i)), kFloats,
               lanes.out() + i);
  }
}

bool run_float(const Lanes& l) {
  switch (l.op.code) {
    case Code::kAddF32:
      return binary(l, [](Floats x, Floats y) { return hn::Add(x, y); }), true;
    case Code::kSubtractF32:
      return binary(l, [](Floats x, Floats y) { return hn::Sub(x, y); }), true;
    case Code::kMultiplyF32:
      return binary(l, [](Floats x, Floats y) { return hn::Mul(x, y); }), true;
    case Code::kDivideF32:
      return binary(l, [](Floats x, Floats y) { return hn::Div(x, y); }), true;
    case Code::kMaximumF32:
      return binary(l, maximum), true;
    case Code::kMinimumF32:
      return binary(l, minimum), true;
    case Code::kClampF32:
      return clamp(l), true;
    case Code::kNegateF32:
      return unary(l, [](Floats x) { return hn::Neg(x); }), true;
    case Code::kAbsF32:
      return unary(l, [](Floats x) { return hn::Abs(x); }), true;
    default:
      return false;
  }
}

bool run_function(const Lanes& l) {
  switch (l.op.code) {
    case Code::kSqrtF32:
      return unary(l, [](Floats x) { return hn::Sqrt(x); }), true;
    case Code::kFloorF32:
      return unary(l, [](Floats x) { return hn::Floor(x); }), true;
    case Code::kCeilF32:
      return unary(l, [](Floats x) { return hn::Ceil(x); }), true;
    case Code::kRoundEvenF32:
      return unary(l, [](Floats x) { return hn::Round(x); }), true;
    case Code::kRsqrtF32:
      return in_double(l, rsqrt), true;
    case Code::kExponentialF32:
      return in_double(l, exponential), true;
    case Code::kTanhF32:
      return in_double(l, tanh_of), true;
    case Code::kLogisticF32:
      return in_double(l, logistic), true;
    default:
      return false;
  }
}

bool run_comparison(const Lanes& l) {
  switch (l.op.code) {
    case Code::kEqualF32:
      return compare(l, [](Floats x, Floats y) { return hn::Eq(x, y); }), true;
    case Code::kNotEqualF32:
      return compare(l, unequal), true;
    case Code::kLessF32:
      return compare(l, [](Floats x, Floats y) { return hn::Lt(x, y); }), true;
    case Code::kLessEqualF32:
      return compare(l, [](Floats x, Floats y) { return hn::Le(x, y); }), true;
    case Code::kEqualS32:
      return compare_ints(l, [](Ints x, Ints y) { return hn::Eq(x, y); }), true;
    case Code::kNotEqualS32:
      return compare_ints(l, [](Ints x, Ints y) { return hn::Ne(x, y); }), true;
    case Code::kLessS32:
      return compare_ints(l, [](Ints x, Ints y) { return hn::Lt(x, y); }), true;
    case Code::kLessEqualS32:
      return compare_ints(l,
                          [](Ints x, Ints y) { return hn::Not(hn::Gt(x, y)); }),
             true;
    default:
      return false;
  }
}

bool run_integer(const Lanes& l) {
  switch (l.op.code) {
    case Code::kAddS32:
      return binary_ints(l, [](Ints x, Ints y) { return hn::Add(x, y); }), true;
    case Code::kSubtractS32:
      return binary_ints(l, [](Ints x, Ints y) { return hn::Sub(x, y); }), true;
    case Code::kMultiplyS32:
      return binary_ints(l, [](Ints x, Ints y) { return hn::Mul(x, y); }), true;
    case Code::kMaximumS32:
      return binary_ints(l, [](Ints x, Ints y) { return hn::Max(x, y); }), true;
    case Code::kMinimumS32:
      return binary_ints(l, [](Ints x, Ints y) { return hn::Min(x, y); }), true;
    case Code::kAnd:
      return binary_ints(l, [](Ints x, Ints y) { return hn::And(x, y); }), true;
    case Code::kOr:
      return binary_ints(l, [](Ints x, Ints y) { return hn::Or(x, y); }), true;
    case Code::kXor:
      return binary_ints(l, [](Ints x, Ints y) { return hn::Xor(x, y); }), true;
    default:
      return false;
  }
}

bool run_conversion(const Lanes& l) {
  const Ints one = hn::Set(kInts, 1);
  switch (l.op.code) {
    case Code::kNegateS32:
      return unary_ints(l, [](Ints x) { return hn::Sub(hn::Zero(kInts), x); }),
             true;
    case Code::kNotPred:
      return unary_ints(l, [&](Ints x) { return hn::Xor(x, one); }), true;
    case Code::kNotS32:
      return unary_ints(l, [](Ints x) { return hn::Not(x); }), true;
    case Code::kS32ToF32:
      return unary_ints(l,
                        [](Ints x) {
                          return hn::BitCast(kInts, hn::ConvertTo(kFloats, x));
                        }),
             true;
    case Code::kF32ToS32:
      return unary(l, [](Floats x) { return hn::BitCast(kFloats, to_s32(x)); }),
             true;
    case Code::kIsNotZeroF32:
      return unary(l,
                   [&](Floats x) {
                     return hn::BitCast(kFloats,
                                        as_pred(unequal(x, hn::Zero(kFloats))));
                   }),
             true;
    case Code::kIsNotZeroS32:
      return unary_ints(
                 l, [](Ints x) { return as_pred(hn::Ne(x, hn::Zero(kInts))); }),
             true;
    default:
      return select(l), true;
  }
}

void run_all(const TileOp* ops, size_t count, std::byte* const* registers,
             size_t n) {
  for (size_t i = 0; i < count; ++i) {
    const Lanes lanes{ops[i], registers, n};
    if (!run_float(lanes) && !run_function(lanes) && !run_comparison(lanes) &&
        !run_integer(lanes)) {
      run_conversion(lanes);
    }
  }
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(run_all);

}  // namespace

void run_ops(std::span<const TileOp> ops, std::byte* const* registers,
             size_t n) {
  HWY_DYNAMIC_DISPATCH(run_all)(ops.data(), ops.size(), registers, n);
}

}  // namespace hlo::cpu

#endif
