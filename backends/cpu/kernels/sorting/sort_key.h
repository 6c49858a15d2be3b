#pragma once

#include <cstddef>
#include <cstdint>

namespace hlo::cpu {

/// What the bits of an element are.
enum class KeyKind : uint8_t { kUnsigned, kSigned, kFloat };

/// How an element of so many bytes (1, 2, 4 or 8) becomes a number without
/// sign by which it is put in order. Floats are those of IEEE 754 and bf16; as
/// they stand, their order is the total one; that by value is none where there
/// are NaNs, so that numbers do not say it.
struct SortKey {
  size_t width = 4;
  KeyKind kind = KeyKind::kFloat;
  uint64_t infinity = 0;  // the bits of a float's
  bool by_value = false;  // a NaN of a float comes neither before nor behind
  bool one_zero = false;  // both zeros of a float are equal
  bool one_nan = false;   // all NaNs of a float are one
  uint64_t nan = 0;       // the bits of that one
  bool descends = false;

  uint64_t sign() const { return uint64_t{1} << (8 * width - 1); }

  uint64_t ones() const { return ~uint64_t{0} >> (64 - 8 * width); }
};

/// What an element's bits are turned into its number by: those of one zero or
/// NaN where there is only one, then exclusive or with `flips`, and with `turn`
/// where the sign is set.
template <typename Word>
struct KeyWords {
  Word sign;
  Word infinity;
  Word nan;
  Word flips;
  Word turn;
  bool one_zero;
  bool one_nan;
};

/// The number of an element's bits.
template <typename Word>
class KeyOf {
 public:
  explicit KeyOf(const SortKey& key)
      : sign_(static_cast<Word>(key.sign())),
        infinity_(static_cast<Word>(key.infinity)),
        nan_(static_cast<Word>(key.nan)),
        one_zero_(key.one_zero),
        one_nan_(key.one_nan) {
    const uint64_t flips = key.descends ? key.ones() : 0;
    const bool plain = key.kind == KeyKind::kUnsigned;
    const bool turns = key.kind == KeyKind::kFloat;
    flips_[0] = static_cast<Word>((plain ? 0 : key.sign()) ^ flips);
    flips_[1] = static_cast<Word>(
        (plain ? 0 : (turns ? key.ones() : key.sign())) ^ flips);
  }

  Word operator()(Word bits) const {
    bits = as_one(bits);
    return static_cast<Word>(bits ^ flips_[(bits & sign_) != 0 ? 1 : 0]);
  }

  /// Finds the numbers of so many elements as vectors, with nothing looked up.
  template <int64_t kCount>
  void together(const Word* elements, Word* numbers) const {
    const auto turn = static_cast<Word>(flips_[0] ^ flips_[1]);
    for (int64_t i = 0; i < kCount; ++i) {
      const Word bits = as_one(elements[i]);
      const auto negative = static_cast<Word>((bits & sign_) != 0);
      numbers[i] = static_cast<Word>(bits ^ flips_[0] ^
                                     (static_cast<Word>(-negative) & turn));
    }
  }

  KeyWords<Word> words() const {
    return {sign_,
            infinity_,
            nan_,
            flips_[0],
            static_cast<Word>(flips_[0] ^ flips_[1]),
            one_zero_,
            one_nan_};
  }

 private:
  /// The bits of the one zero or NaN, or their own.
  Word as_one(Word bits) const {
    const auto magnitude = static_cast<Word>(bits & (sign_ - 1));
    if (one_zero_ && magnitude == 0) bits = 0;
    if (one_nan_ && magnitude > infinity_) bits = nan_;
    return bits;
  }

  Word sign_;
  Word infinity_;
  Word nan_;
  bool one_zero_;
  bool one_nan_;
  Word flips_[2];
};

}  // namespace hlo::cpu
