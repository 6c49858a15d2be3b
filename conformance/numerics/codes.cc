#include "conformance/numerics/codes.h"

#include <mpfr.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "backends/cpu/arrays/narrow_float.h"
#include "interpreter/evaluate.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

using First = std::optional<std::pair<uint32_t, uint32_t>>;

constexpr int kByte = 8;

/// All arguments: codes of at most 16 bits, or pairs of at most 8.
struct Arguments {
  Arguments(ElementType type, bool pairs)
      : x(Literal::uninitialized(shape(type, pairs))),
        y(Literal::uninitialized(shape(type, pairs))) {
    const int width = info(type).bits;
    const uint64_t mask = (uint64_t{1} << width) - 1;
    for (int64_t i = 0; i < x.element_count(); ++i) {
      const auto code = static_cast<uint64_t>(i);
      const uint64_t first = pairs ? code >> width : code;
      x.set(i, {.type = type, .bits = {first, 0}});
      y.set(i, {.type = type, .bits = {code & mask, 0}});
    }
  }

  static Shape shape(ElementType type, bool pairs) {
    return Shape::array(type,
                        {int64_t{1} << info(type).bits * (pairs ? 2 : 1)});
  }

  Literal x;
  Literal y;
};

// Where a type has no NaN, its code for one has to come.
bool is_right(uint32_t code, double wanted, ElementType type) {
  const double value = cpu::decode_narrow(code, type);
  const uint32_t rounded = cpu::encode_narrow(wanted, type);
  if (std::isnan(static_cast<double>(cpu::decode_narrow(rounded, type)))) {
    return std::isnan(value);
  }
  return code == rounded;
}

/// The first arguments whose result is not wanted(x, y).
template <typename Wanted>
First first_wrong(const Arguments& arguments, const Literal& results,
                  const Wanted& wanted) {
  const ElementType type = results.type();
  const auto code_of = [](const Literal& codes, int64_t i) {
    return static_cast<uint32_t>(codes.at(i).bits[0]);
  };
  for (int64_t i = 0; i < results.element_count(); ++i) {
    const uint32_t x = code_of(arguments.x, i);
    const uint32_t y = code_of(arguments.y, i);
    const double value =
        wanted(cpu::decode_narrow(x, type), cpu::decode_narrow(y, type));
    if (!is_right(code_of(results, i), value, type)) return std::pair(x, y);
  }
  return std::nullopt;
}

constexpr std::array<std::string_view, 5> kOperations = {
    "add", "subtract", "multiply", "divide", "remainder"};
constexpr std::array<Exact, kOperations.size()> kExact = {
    mpfr_add, mpfr_sub, mpfr_mul, mpfr_div, mpfr_fmod};

}  // namespace

std::span<const std::string_view> exact_operations() { return kOperations; }

bool has_all_codes(const Rival& rival, ElementType type) {
  return is_float(type) &&
         info(type).bits <= (rival.is_binary() ? 1 : 2) * kByte;
}

First first_wrong_code(const Rival& rival, ElementType type) {
  const Arguments arguments(type, rival.is_binary());
  Literal results = Literal::uninitialized(arguments.x.shape());
  evaluate_reference(rival, arguments.x.bytes().data(),
                     arguments.y.bytes().data(), results.mutable_bytes().data(),
                     results.element_count(), numeric::format(type));
  return first_wrong(arguments, results, [&](double x, double y) {
    return evaluate_to_odd(rival, x, y);
  });
}

First first_wrong_result(std::string_view operation, ElementType type) {
  const auto* const row = std::ranges::find(kOperations, operation);
  const Exact exact = kExact.at(static_cast<size_t>(row - kOperations.begin()));
  const Rival rival = {.function = numeric::Function2{},
                       .name = operation,
                       .sweep = Sweep::kPairs,
                       .approximate = nullptr,
                       .exact = exact};
  const Arguments arguments(type, true);
  const Shape& shape = arguments.x.shape();
  const std::string text = to_string(shape);
  const Module module =
      verified_module("ENTRY main { a = " + text + " parameter(0) b = " + text +
                      " parameter(1) ROOT r = " + text + " " +
                      std::string(operation) + "(a, b) }");
  const Literal results = evaluate(module, {arguments.x, arguments.y});
  return first_wrong(arguments, results, [&](double x, double y) {
    return evaluate_to_odd(rival, x, y);
  });
}

}  // namespace hlo::conformance
