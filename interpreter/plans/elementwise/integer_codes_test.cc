// Operations on integers, at every pair of codes of 8 bits and every code of
// 16 bits, against GMP.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/numeric/exact/integer.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

using numeric::Integer;

/// The exact result, before it wraps. `bits` is the type's width.
struct Binary {
  const char* name;
  void (*exact)(mpz_ptr result, mpz_srcptr x, mpz_srcptr y, int bits);
};

struct Unary {
  const char* name;
  void (*exact)(mpz_ptr result, mpz_srcptr x, int bits);
  bool signed_only;
};

/// The number modulo 2^bits.
void make_unsigned(mpz_ptr result, mpz_srcptr x, int bits) {
  mpz_fdiv_r_2exp(result, x, static_cast<mp_bitcnt_t>(bits));
}

/// The number modulo 2^bits, from -2^(bits - 1) on.
void make_signed(mpz_ptr result, mpz_srcptr x, int bits) {
  make_unsigned(result, x, bits);
  if (mpz_tstbit(result, static_cast<mp_bitcnt_t>(bits - 1)) == 0) return;
  Integer modulus;
  mpz_setbit(modulus.get(), static_cast<mp_bitcnt_t>(bits));
  mpz_sub(result, result, modulus.get());
}

/// The amount read without its sign, at most the width.
mp_bitcnt_t amount(mpz_srcptr y, int bits) {
  Integer count;
  make_unsigned(count.get(), y, bits);
  const auto width = static_cast<mp_bitcnt_t>(bits);
  return std::min<mp_bitcnt_t>(mpz_get_ui(count.get()), width);
}

void divide(mpz_ptr result, mpz_srcptr x, mpz_srcptr y, int /*bits*/) {
  if (mpz_sgn(y) == 0) return mpz_set_si(result, -1);
  mpz_tdiv_q(result, x, y);
}

void remainder(mpz_ptr result, mpz_srcptr x, mpz_srcptr y, int /*bits*/) {
  if (mpz_sgn(y) == 0) return mpz_set(result, x);
  mpz_tdiv_r(result, x, y);
}

/// Truncated towards zero, so that only 1 and -1 have powers below 0.
void power(mpz_ptr result, mpz_srcptr x, mpz_srcptr y, int /*bits*/) {
  if (mpz_sgn(y) >= 0) return mpz_pow_ui(result, x, mpz_get_ui(y));
  const bool odd = mpz_odd_p(y) != 0;
  const bool is_unit = mpz_cmpabs_ui(x, 1) == 0;
  mpz_set_si(result, is_unit ? (odd ? mpz_sgn(x) : 1) : 0);
}

constexpr std::array kBinary = {
    Binary{"add", [](mpz_ptr r, mpz_srcptr x, mpz_srcptr y,
                     int) { mpz_add(r, x, y); }},
    Binary{"subtract", [](mpz_ptr r, mpz_srcptr x, mpz_srcptr y,
                          int) { mpz_sub(r, x, y); }},
    Binary{"multiply", [](mpz_ptr r, mpz_srcptr x, mpz_srcptr y,
                          int) { mpz_mul(r, x, y); }},
    Binary{"mulhi",
           [](mpz_ptr r, mpz_srcptr x, mpz_srcptr y, int bits) {
             mpz_mul(r, x, y);
             mpz_fdiv_q_2exp(r, r, static_cast<mp_bitcnt_t>(bits));
           }},
    Binary{"divide", divide},
    Binary{"remainder", remainder},
    Binary{"power", power},
    Binary{"maximum", [](mpz_ptr r, mpz_srcptr x, mpz_srcptr y,
                         int) { mpz_set(r, mpz_cmp(x, y) > 0 ? x : y); }},
    Binary{"minimum", [](mpz_ptr r, mpz_srcptr x, mpz_srcptr y,
                         int) { mpz_set(r, mpz_cmp(x, y) < 0 ? x : y); }},
    Binary{"and", [](mpz_ptr r, mpz_srcptr x, mpz_srcptr y,
                     int) { mpz_and(r, x, y); }},
    Binary{"or", [](mpz_ptr r, mpz_srcptr x, mpz_srcptr y,
                    int) { mpz_ior(r, x, y); }},
    Binary{"xor", [](mpz_ptr r, mpz_srcptr x, mpz_srcptr y,
                     int) { mpz_xor(r, x, y); }},
    Binary{"shift-left", [](mpz_ptr r, mpz_srcptr x, mpz_srcptr y,
                            int bits) { mpz_mul_2exp(r, x, amount(y, bits)); }},
    Binary{"shift-right-arithmetic",
           [](mpz_ptr r, mpz_srcptr x, mpz_srcptr y, int bits) {
             make_signed(r, x, bits);
             mpz_fdiv_q_2exp(r, r, amount(y, bits));
           }},
    Binary{"shift-right-logical",
           [](mpz_ptr r, mpz_srcptr x, mpz_srcptr y, int bits) {
             make_unsigned(r, x, bits);
             mpz_fdiv_q_2exp(r, r, amount(y, bits));
           }},
};

constexpr std::array kUnary = {
    Unary{"abs", [](mpz_ptr r, mpz_srcptr x, int) { mpz_abs(r, x); }, true},
    Unary{"sign",
          [](mpz_ptr r, mpz_srcptr x, int) { mpz_set_si(r, mpz_sgn(x)); },
          true},
    Unary{"negate", [](mpz_ptr r, mpz_srcptr x, int) { mpz_neg(r, x); }, false},
    Unary{"not", [](mpz_ptr r, mpz_srcptr x, int) { mpz_com(r, x); }, false},
    Unary{"popcnt",
          [](mpz_ptr r, mpz_srcptr x, int bits) {
            make_unsigned(r, x, bits);
            mpz_set_ui(r, mpz_popcount(r));
          },
          false},
    Unary{"count-leading-zeros",
          [](mpz_ptr r, mpz_srcptr x, int bits) {
            make_unsigned(r, x, bits);
            const auto used = mpz_sgn(r) == 0 ? 0 : mpz_sizeinbase(r, 2);
            mpz_set_ui(r, static_cast<size_t>(bits) - used);
          },
          false},
};

constexpr int64_t kCodes = int64_t{1} << 16;

/// The 16-bit number i, or its lower or its upper half.
Literal all_codes(ElementType type, int drop) {
  Literal literal = Literal::uninitialized(Shape::array(type, {kCodes}));
  for (int64_t i = 0; i < kCodes; ++i) {
    literal.set(i, {type, {static_cast<uint64_t>(i) >> drop, 0}});
  }
  return literal;
}

/// The result wrapped to the type, as the reference holds it.
int64_t wrapped(mpz_srcptr exact, ElementType type) {
  Integer result;
  is_signed(type) ? make_signed(result.get(), exact, bits(type))
                  : make_unsigned(result.get(), exact, bits(type));
  return mpz_get_si(result.get());
}

Literal run(const std::string& operation, ElementType type,
            std::vector<Literal> operands) {
  const std::string shape = std::string(name(type)) + "[65536]";
  std::string text = "HloModule m\nENTRY main {\n";
  std::string list;
  for (size_t k = 0; k < operands.size(); ++k) {
    text += fmt::format("p{} = {} parameter({})\n", k, shape, k);
    list += fmt::format("{}p{}", k > 0 ? ", " : "", k);
  }
  text += "ROOT r = " + shape + " " + operation + "(" + list + ")\n}";
  return evaluate(verified_module(text), std::move(operands));
}

void expect_pairs(const Binary& operation, ElementType type) {
  const Literal x = all_codes(type, 8);
  const Literal y = all_codes(type, 0);
  const Literal result = run(operation.name, type, {x, y});
  Integer a;
  Integer b;
  Integer exact;
  for (int64_t i = 0; i < kCodes; ++i) {
    mpz_set_si(a.get(), x.integer(i));
    mpz_set_si(b.get(), y.integer(i));
    operation.exact(exact.get(), a.get(), b.get(), bits(type));
    ASSERT_EQ(result.integer(i), wrapped(exact.get(), type))
        << operation.name << " of " << name(type) << " " << x.integer(i)
        << " and " << y.integer(i);
  }
}

void expect_codes(const Unary& operation, ElementType type) {
  const Literal x = all_codes(type, 0);
  const Literal result = run(operation.name, type, {x});
  Integer a;
  Integer exact;
  for (int64_t i = 0; i < kCodes; ++i) {
    mpz_set_si(a.get(), x.integer(i));
    operation.exact(exact.get(), a.get(), bits(type));
    ASSERT_EQ(result.integer(i), wrapped(exact.get(), type))
        << operation.name << " of " << name(type) << " " << x.integer(i);
  }
}

TEST(IntegerCodes, AllPairsOfEightBitsAreThoseOfGmp) {
  for (const Binary& operation : kBinary) {
    expect_pairs(operation, ElementType::kS8);
    expect_pairs(operation, ElementType::kU8);
  }
}

TEST(IntegerCodes, AllCodesOfSixteenBitsAreThoseOfGmp) {
  for (const Unary& operation : kUnary) {
    for (const ElementType type : {ElementType::kS8, ElementType::kS16}) {
      expect_codes(operation, type);
    }
    if (operation.signed_only) continue;
    for (const ElementType type : {ElementType::kU8, ElementType::kU16}) {
      expect_codes(operation, type);
    }
  }
}

}  // namespace
}  // namespace hlo
