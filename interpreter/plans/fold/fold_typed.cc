#include "interpreter/plans/fold/fold_typed.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/fold/fold_walk.h"
#include "interpreter/rules/known_reducer.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

// Unsigned arithmetic, cut to T, which promotion would make signed.
struct Add {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(uint64_t{a} + uint64_t{b});
  }
};

struct Multiply {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(uint64_t{a} * uint64_t{b});
  }
};

struct And {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};

struct Or {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};

struct Xor {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

struct Maximum {
  template <typename T>
  static T apply(T a, T b) {
    return a < b ? b : a;
  }
};

struct Minimum {
  template <typename T>
  static T apply(T a, T b) {
    return b < a ? b : a;
  }
};

template <typename Rule, typename T>
T fold_row(T value, const T* source, int64_t n, int64_t stride) {
  if (stride == 1) {
    for (int64_t i = 0; i < n; ++i) value = Rule::apply(value, source[i]);
  } else {
    for (int64_t i = 0; i < n; ++i) {
      value = Rule::apply(value, source[i * stride]);
    }
  }
  return value;
}

template <typename Rule, typename T>
void combine_row(T* target, int64_t target_stride, const T* source,
                 int64_t source_stride, int64_t n) {
  if (target_stride == 0) {
    *target = fold_row<Rule>(*target, source, n, source_stride);
  } else if (target_stride == 1 && source_stride == 1) {
    for (int64_t i = 0; i < n; ++i) {
      target[i] = Rule::apply(target[i], source[i]);
    }
  } else {
    for (int64_t i = 0; i < n; ++i) {
      target[i * target_stride] =
          Rule::apply(target[i * target_stride], source[i * source_stride]);
    }
  }
}

/// Folds the elements into `target`, which holds the init values.
template <typename Rule, typename T>
void fold_elements(const Fold& fold, int64_t count, const T* source, T* target,
                   const Evaluator& evaluator) {
  const size_t split = split_axis(fold.axes);
  const int64_t size = fold.axes.empty() ? 1 : fold.axes[split].result_size;
  const int64_t stride = fold.axes.empty() ? 0 : fold.axes[split].result_stride;
  const int64_t grain =
      fold.axes.empty() ? 1 : piece_size(fold.axes[split], count, kFoldGrain);
  evaluator.parallel_for(size, grain, [&](int64_t begin, int64_t end) {
    const auto axes = part_of(fold.axes, split, begin, end);
    T* const part = target + begin * stride;
    FoldWalk walk(axes, [&](int64_t from, int64_t to, int64_t n, int64_t step,
                            int64_t target_step) {
      combine_row<Rule>(part + to, target_step, source + from, step, n);
    });
    walk.run();
  });
}

template <typename T>
void fold_reducer(const Fold& fold, Reducer reducer, int64_t count,
                  const T* source, T* target, const Evaluator& evaluator) {
  const auto run = [&]<typename Rule>(Rule) {
    fold_elements<Rule>(fold, count, source, target, evaluator);
  };
  if (reducer == Reducer::kMaximum) return run(Maximum{});
  if (reducer == Reducer::kMinimum) return run(Minimum{});
  if constexpr (std::is_unsigned_v<T>) {
    if (reducer == Reducer::kAdd) return run(Add{});
    if (reducer == Reducer::kMultiply) return run(Multiply{});
    if (reducer == Reducer::kAnd) return run(And{});
    if (reducer == Reducer::kOr) return run(Or{});
    if (reducer == Reducer::kXor) return run(Xor{});
  }
}

template <typename T>
void fold_literal(const Fold& fold, Reducer reducer, const Literal& operand,
                  Literal& result, const Evaluator& evaluator) {
  const auto* source = reinterpret_cast<const T*>(operand.bytes().data());
  auto* target = reinterpret_cast<T*>(result.mutable_bytes().data());
  fold_reducer(fold, reducer, operand.element_count(), source, target,
               evaluator);
}

/// Calls with a value of the integer type of that width.
template <typename Body>
void with_width(int bytes, bool is_signed, Body body) {
  switch (bytes) {
    case 1:
      return is_signed ? body(int8_t{}) : body(uint8_t{});
    case 2:
      return is_signed ? body(int16_t{}) : body(uint16_t{});
    case 4:
      return is_signed ? body(int32_t{}) : body(uint32_t{});
    default:
      return is_signed ? body(int64_t{}) : body(uint64_t{});
  }
}

/// Unused high bits as a literal has them.
void normalize(Literal& literal) {
  const ElementType type = literal.type();
  if (bits(type) >= 8) return;
  const int unused = 8 - bits(type);
  for (std::byte& byte : literal.mutable_bytes()) {
    const auto shifted =
        static_cast<uint8_t>(std::to_integer<unsigned>(byte) << unused);
    byte = is_signed(type)
               ? static_cast<std::byte>(static_cast<int8_t>(shifted) >> unused)
               : static_cast<std::byte>(shifted >> unused);
  }
}

Literal fold_integers(const Fold& fold, Reducer reducer, const Shape& shape,
                      const Literal& operand, const Literal& init,
                      const Evaluator& evaluator) {
  Literal result = Literal::splat(shape, init.scalar());
  const bool compares =
      reducer == Reducer::kMaximum || reducer == Reducer::kMinimum;
  with_width(storage_bytes(shape.element_type),
             compares && is_signed(shape.element_type), [&](auto zero) {
               fold_literal<decltype(zero)>(fold, reducer, operand, result,
                                            evaluator);
             });
  normalize(result);
  return result;
}

/// Addition and multiplication of truth values are or and and.
Reducer for_pred(Reducer reducer) {
  if (reducer == Reducer::kAdd) return Reducer::kOr;
  if (reducer == Reducer::kMultiply) return Reducer::kAnd;
  return reducer;
}

// ------------------------------------------------- maximum, minimum of floats

/// Codes as integers in the order of their numbers, -0 before +0, and NaN as
/// the integer that wins.
template <typename T>
struct Keys {
  uint64_t sign;
  uint64_t nan;  // the least magnitude that is NaN
  uint64_t single_nan;
  uint64_t quiet_nan;
  T winner;

  Keys(const numeric::FloatFormat& format, Reducer reducer)
      : sign(format.sign_mask()),
        nan(~uint64_t{0}),
        single_nan(~uint64_t{0}),
        quiet_nan(format.has_nan() ? format.quiet_nan() : 0),
        winner(reducer == Reducer::kMaximum ? std::numeric_limits<T>::max()
                                            : std::numeric_limits<T>::min()) {
    using numeric::Specials;
    if (format.specials == Specials::kIeee) nan = format.infinity() + 1;
    if (format.specials == Specials::kFn) nan = format.max_finite() + 1;
    if (format.specials == Specials::kE8M0) nan = format.quiet_nan();
    if (format.specials == Specials::kFnuz) single_nan = format.quiet_nan();
  }

  T key(uint64_t code) const {
    const uint64_t magnitude = code & ~sign;
    if (magnitude >= nan || code == single_nan) return winner;
    return static_cast<T>(magnitude == code ? magnitude : ~magnitude);
  }

  uint64_t code(T key) const {
    if (key == winner) return quiet_nan;
    const auto bits = static_cast<uint64_t>(key);
    return key < 0 ? ~bits | sign : bits;
  }
};

template <typename T, typename S>
Literal fold_keys(const Fold& fold, Reducer reducer, const Shape& shape,
                  const Literal& operand, const Literal& init,
                  const Evaluator& evaluator) {
  const Keys<T> keys(numeric::format(shape.element_type), reducer);
  const auto codes = operand.data<S>();
  std::vector<T> source(codes.size());
  evaluator.parallel_for(operand.element_count(), kFoldGrain,
                         [&](int64_t begin, int64_t end) {
                           for (auto i = static_cast<size_t>(begin);
                                i < static_cast<size_t>(end); ++i) {
                             source[i] = keys.key(codes[i]);
                           }
                         });
  Literal result = Literal::uninitialized(shape);
  const auto size = static_cast<size_t>(result.element_count());
  std::vector<T> target(size, keys.key(init.scalar().bits[0]));
  fold_reducer(fold, reducer, operand.element_count(), source.data(),
               target.data(), evaluator);
  const auto to = result.mutable_data<S>();
  for (size_t i = 0; i < size; ++i)
    to[i] = static_cast<S>(keys.code(target[i]));
  return result;
}

}  // namespace

Literal fold_typed(const Fold& fold, Reducer reducer, const Shape& shape,
                   const Literal& operand, const Literal& init,
                   const Evaluator& evaluator) {
  const ElementType type = shape.element_type;
  if (type == ElementType::kPred) reducer = for_pred(reducer);
  if (!is_float(type)) {
    return fold_integers(fold, reducer, shape, operand, init, evaluator);
  }
  switch (storage_bytes(type)) {
    case 1:  // one bit more than the codes, for the winner
      return fold_keys<int16_t, uint8_t>(fold, reducer, shape, operand, init,
                                         evaluator);
    case 2:
      return fold_keys<int16_t, uint16_t>(fold, reducer, shape, operand, init,
                                          evaluator);
    case 4:
      return fold_keys<int32_t, uint32_t>(fold, reducer, shape, operand, init,
                                          evaluator);
    default:
      return fold_keys<int64_t, uint64_t>(fold, reducer, shape, operand, init,
                                          evaluator);
  }
}

}  // namespace hlo
