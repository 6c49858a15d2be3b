#include <cmath>

#include "backends/cpu/kernels/tiles/run_fast_function.h"
#include "backends/cpu/kernels/tiles/run_function.h"
#include "backends/cpu/kernels/tiles/tile_program.h"
#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/tiles/run_ops.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<float> kFloats;
const hn::ScalableTag<int32_t> kInts;

using Floats = hn::Vec<decltype(kFloats)>;
using Ints = hn::Vec<decltype(kInts)>;

/// The lanes of an operand.
template <class T>
struct Source {
  const T* first;
  size_t mask;

  auto operator[](size_t i) const {
    return hn::LoadU(hn::ScalableTag<T>(), first + (i & mask));
  }

  bool is_one_number() const { return mask == 0; }
};

/// Lanes of which each is another number.
struct OneByOne {
  const float* first;

  Floats operator[](size_t i) const { return hn::LoadU(kFloats, first + i); }
};

/// Lanes that are all the same number.
struct OneNumber {
  Floats number;

  Floats operator[](size_t) const { return number; }
};

/// One operation on all lanes of some registers.
struct Lanes {
  const TileOp& op;
  const Register* registers;
  size_t n;

  template <class T>
  Source<T> source(size_t operand) const {
    const Register& own = registers[op.operands[operand]];
    return {reinterpret_cast<const T*>(own.first), own.mask};
  }

  Source<float> floats(size_t operand) const { return source<float>(operand); }

  Source<int32_t> ints(size_t operand) const {
    return source<int32_t>(operand);
  }

  float* out() const {
    return reinterpret_cast<float*>(registers[op.out].first);
  }

  int32_t* out_ints() const {
    return reinterpret_cast<int32_t*>(registers[op.out].first);
  }
};

template <class F>
void unary(const Lanes& lanes, F f) {
  const auto x = lanes.floats(0);
  float* out = lanes.out();
  for (size_t i = 0; i < lanes.n; i += hn::Lanes(kFloats)) {
    hn::StoreU(f(x[i]), kFloats, out + i);
  }
}

template <class X, class Y, class F>
HWY_INLINE void combine(const X& x, const Y& y, float* out, size_t n, F f) {
  for (size_t i = 0; i < n; i += hn::Lanes(kFloats)) {
    hn::StoreU(f(x[i], y[i]), kFloats, out + i);
  }
}

/// What an operand is decides before the loop how it is read, which takes as
/// long as to add it.
template <class F>
void binary(const Lanes& lanes, F f) {
  const auto x = lanes.floats(0);
  const auto y = lanes.floats(1);
  if (x.is_one_number()) return combine(x, y, lanes.out(), lanes.n, f);
  const OneByOne numbers{x.first};
  if (y.is_one_number()) {
    return combine(numbers, OneNumber{y[0]}, lanes.out(), lanes.n, f);
  }
  combine(numbers, OneByOne{y.first}, lanes.out(), lanes.n, f);
}

template <class F>
void binary_ints(const Lanes& lanes, F f) {
  const auto x = lanes.ints(0);
  const auto y = lanes.ints(1);
  int32_t* out = lanes.out_ints();
  for (size_t i = 0; i < lanes.n; i += hn::Lanes(kInts)) {
    hn::StoreU(f(x[i], y[i]), kInts, out + i);
  }
}

template <class F>
void unary_ints(const Lanes& lanes, F f) {
  const auto x = lanes.ints(0);
  int32_t* out = lanes.out_ints();
  for (size_t i = 0; i < lanes.n; i += hn::Lanes(kInts)) {
    hn::StoreU(f(x[i]), kInts, out + i);
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

/// NaN where either is; -0 lies below +0. Of equal numbers the vectors' own
/// maximum may be either one, of both orders both.
HWY_INLINE Floats maximum(Floats x, Floats y) {
  const Floats larger = hn::And(hn::Max(x, y), hn::Max(y, x));
  const auto is_nan = hn::Or(hn::IsNaN(x), hn::IsNaN(y));
  return hn::IfThenElse(is_nan, hn::Add(x, y), larger);
}

HWY_INLINE Floats minimum(Floats x, Floats y) {
  const Floats smaller = hn::Or(hn::Min(x, y), hn::Min(y, x));
  const auto is_nan = hn::Or(hn::IsNaN(x), hn::IsNaN(y));
  return hn::IfThenElse(is_nan, hn::Add(x, y), smaller);
}

/// True of NaN, which Highway's Ne is not everywhere.
HWY_INLINE auto unequal(Floats x, Floats y) { return hn::Not(hn::Eq(x, y)); }

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

Ints set(int32_t bits) { return hn::Set(kInts, bits); }

/// The bits without the last kBits, rounded to even.
template <int kBits>
Ints rounded(Ints word) {
  const Ints odd = hn::And(hn::ShiftRight<kBits>(word), set(1));
  const Ints half = set((1 << (kBits - 1)) - 1);
  return hn::And(hn::Add(word, hn::Add(half, odd)), set(-(1 << kBits)));
}

HWY_INLINE Floats quiet(Floats x) {
  return hn::IfThenElse(hn::IsNaN(x), hn::Set(kFloats, NAN), x);
}

/// 1 with the sign; zeros as they are, and what counts as zero is one.
HWY_INLINE Floats sign(Floats x) {
  const auto has_none = hn::Or(hn::Eq(x, hn::Zero(kFloats)), hn::IsNaN(x));
  return hn::IfThenElse(has_none, hn::Add(x, x),
                        hn::CopySign(hn::Set(kFloats, 1.0F), x));
}

/// NaN stays one, whatever becomes of its payload.
HWY_INLINE Floats to_bf16(Floats x) {
  const Floats near = hn::BitCast(kFloats, rounded<16>(hn::BitCast(kInts, x)));
  return hn::IfThenElse(hn::IsNaN(x), quiet(x), near);
}

/// Below 2^-14 the sum with 0.5 ends where f16's subnormals do.
HWY_INLINE Floats to_f16(Floats x) {
  const Floats magnitude = hn::Abs(x);
  const Floats half = hn::Set(kFloats, 0.5F);
  const Floats small = hn::Sub(hn::Add(magnitude, half), half);
  const Floats near =
      hn::BitCast(kFloats, rounded<13>(hn::BitCast(kInts, magnitude)));
  const Floats large = hn::IfThenElse(hn::Lt(near, hn::Set(kFloats, 0x1p16F)),
                                      near, hn::Set(kFloats, INFINITY));
  const Floats y = hn::IfThenElse(hn::Lt(magnitude, hn::Set(kFloats, 0x1p-14F)),
                                  small, large);
  return hn::CopySign(hn::IfThenElse(hn::IsNaN(x), quiet(x), y), x);
}

void select(const Lanes& lanes) {
  const auto chosen = lanes.ints(0);
  const auto x = lanes.ints(1);
  const auto y = lanes.ints(2);
  for (size_t i = 0; i < lanes.n; i += hn::Lanes(kInts)) {
    const auto mask = hn::Ne(chosen[i], hn::Zero(kInts));
    hn::StoreU(hn::IfThenElse(mask, x[i], y[i]), kInts, lanes.out_ints() + i);
  }
}

void clamp(const Lanes& lanes) {
  const auto low = lanes.floats(0);
  const auto x = lanes.floats(1);
  const auto high = lanes.floats(2);
  for (size_t i = 0; i < lanes.n; i += hn::Lanes(kFloats)) {
    hn::StoreU(minimum(maximum(x[i], low[i]), high[i]), kFloats,
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
      return binary(l, [](Floats x, Floats y) { return maximum(x, y); }), true;
    case Code::kMinimumF32:
      return binary(l, [](Floats x, Floats y) { return minimum(x, y); }), true;
    case Code::kClampF32:
      return clamp(l), true;
    case Code::kNegateF32:
      return unary(l, [](Floats x) { return hn::Neg(x); }), true;
    case Code::kAbsF32:
      return unary(l, [](Floats x) { return hn::Abs(x); }), true;
    case Code::kCopy:
      return unary(l, [](Floats x) { return x; }), true;
    case Code::kQuiet:
      return unary(l, [](Floats x) { return quiet(x); }), true;
    case Code::kRoundToBf16:
      return unary(l, [](Floats x) { return to_bf16(x); }), true;
    case Code::kRoundToF16:
      return unary(l, [](Floats x) { return to_f16(x); }), true;
    default:
      return false;
  }
}

bool run_rounding(const Lanes& l) {
  switch (l.op.code) {
    case Code::kSqrtF32:
      return unary(l, [](Floats x) { return hn::Sqrt(x); }), true;
    case Code::kFloorF32:
      return unary(l, [](Floats x) { return hn::Floor(x); }), true;
    case Code::kCeilF32:
      return unary(l, [](Floats x) { return hn::Ceil(x); }), true;
    case Code::kRoundEvenF32:
      return unary(l, [](Floats x) { return hn::Round(x); }), true;
    case Code::kSignF32:
      return unary(l, [](Floats x) { return sign(x); }), true;
    default:
      return false;
  }
}

bool run_comparison(const Lanes& l) {
  switch (l.op.code) {
    case Code::kEqualF32:
      return compare(l, [](Floats x, Floats y) { return hn::Eq(x, y); }), true;
    case Code::kNotEqualF32:
      return compare(l, [](Floats x, Floats y) { return unequal(x, y); }), true;
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

void run_one(const TileOp& op, const Register* registers, size_t n) {
  const Lanes lanes{op, registers, n};
  if (!run_float(lanes) && !run_rounding(lanes) && !run_comparison(lanes) &&
      !run_integer(lanes)) {
    run_conversion(lanes);
  }
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(run_one);

}  // namespace

void run_ops(std::span<const TileOp> ops, const Register* registers, size_t n) {
  for (const TileOp& op : ops) {
    if (is_fast_function(op.code)) {
      run_fast_function(op, registers, n);
    } else if (is_function(op.code)) {
      run_function(op, registers, n);
    } else {
      HWY_DYNAMIC_DISPATCH(run_one)(op, registers, n);
    }
  }
}

}  // namespace hlo::cpu

#endif
