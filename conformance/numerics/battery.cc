#include "conformance/numerics/battery.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/literals/random_inputs.h"
#include "conformance/numerics/rival.h"
#include "interpreter/evaluate.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/random/random.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// A product of two matrices.
std::string dot(std::string_view module, std::string_view type, int64_t n,
                int64_t depth) {
  return fmt::format(R"(HloModule {0}
ENTRY main {{
  x = {1}[{2},{3}] parameter(0)
  y = {1}[{3},{2}] parameter(1)
  ROOT r = {1}[{2},{2}] dot(x, y), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
}})",
                     module, type, n, depth);
}

/// One that reduces x, an array of the first dimensions, to the second ones by
/// an operation from its neutral element on.
std::string fold(std::string_view module, std::string_view type,
                 std::string_view from, std::string_view to,
                 std::string_view operation, std::string_view init,
                 std::string_view by) {
  return fmt::format(R"(HloModule {0}
join {{
  a = {1}[] parameter(0)
  b = {1}[] parameter(1)
  ROOT r = {1}[] {4}(a, b)
}}
ENTRY main {{
  x = {1}[{2}] parameter(0)
  init = {1}[] constant({5})
  ROOT r = {1}[{3}] {6}, to_apply=join
}})",
                     module, type, from, to, operation, init, by);
}

std::vector<std::string> sums() {
  constexpr std::string_view kRows = "reduce(x, init), dimensions={1}";
  return {
      dot("dot", "f32", 192, 1000),
      dot("dot_f64", "f64", 48, 500),
      dot("dot_bf16", "bf16", 96, 700),
      R"(HloModule convolution
ENTRY main {
  x = f32[1,28,28,32] parameter(0)
  y = f32[3,3,32,32] parameter(1)
  ROOT r = f32[1,28,28,32] convolution(x, y), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
})",
      fold("sum", "f32", "300,3000", "300", "add", "0", kRows),
      fold("sum_f64", "f64", "30,3000", "30", "add", "0", kRows),
      fold("running_sum", "bf16", "3000", "3000", "add", "0",
           "reduce-window(x, init), window={size=3000 pad=2999_0}"),
      R"(HloModule dot_that_cancels
ENTRY main {
  x = f32[96,500] parameter(0)
  y = f32[500,96] parameter(1)
  minus = f32[96,500] negate(x)
  near = f32[] constant(1.0000001)
  factors = f32[500,96] broadcast(near), dimensions={}
  other = f32[500,96] multiply(y, factors)
  left = f32[96,1000] concatenate(x, minus), dimensions={1}
  right = f32[1000,96] concatenate(y, other), dimensions={0}
  ROOT r = f32[96,96] dot(left, right), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})",
      fold("product", "f32", "500,40", "500", "multiply", "1", kRows),
  };
}

/// An order-dependent checksum of bytes.
class Checksum {
 public:
  void add(std::span<const std::byte> bytes) {
    constexpr uint64_t kFactor = 0x100000001b3;  // FNV-1a
    for (const std::byte byte : bytes) {
      sum_ = (sum_ ^ static_cast<uint64_t>(byte)) * kFactor;
    }
  }

  uint64_t value() const { return sum_; }

 private:
  uint64_t sum_ = 0xcbf29ce484222325;
};

/// Which arguments of a function of two.
enum class Side : uint8_t { kX, kY };

/// Random codes of the type, or all if those are no more.
Literal codes_of(ElementType type, int64_t count, Side side, bool all) {
  const int bits = info(type).bits;
  const int64_t n = all ? int64_t{1} << bits : count;
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  Literal codes = Literal::uninitialized(Shape::array(type, {n}));
  for (int64_t i = 0; i < n; ++i) {
    const auto counter = static_cast<uint32_t>(i);
    const auto words = numeric::philox4x32({counter, 0, 0, 0}, {0, 0});
    const size_t first = side == Side::kX ? 0 : 2;
    const uint64_t random = uint64_t{words[first + 1]} << 32 | words[first];
    codes.set(i,
              {.type = type,
               .bits = {(all ? static_cast<uint64_t>(i) : random) & mask, 0}});
  }
  return codes;
}

/// The first of two arguments where most numbers have no value: 0 to 31.
void make_orders(Literal& codes) {
  constexpr uint64_t kOrders = 32;
  const ElementType type = codes.type();
  for (int64_t i = 0; i < codes.element_count(); ++i) {
    const auto order = static_cast<double>(codes.at(i).bits[0] % kOrders);
    codes.set(i, {.type = type,
                  .bits = {numeric::encode(order, numeric::format(type)), 0}});
  }
}

/// Whether the function belongs to the fast ones, which get all inputs.
bool is_fast(const Rival& rival) {
  constexpr std::array<std::string_view, 6> kSlow = {
      "erf_inv", "lgamma", "digamma", "bessel_i1e", "polygamma", "zeta"};
  return std::ranges::find(kSlow, rival.name) == kSlow.end();
}

BatteryPart function_part(const Rival& rival, ElementType type,
                          int64_t inputs) {
  constexpr int64_t kFewer = 100;
  const int64_t count = is_fast(rival) ? inputs : (inputs - 1) / kFewer + 1;
  const bool all = info(type).bits <= 16 && !rival.is_binary();
  Literal x = codes_of(type, count, Side::kX, all);
  const Literal y = codes_of(type, count, Side::kY, all);
  if (rival.sweep == Sweep::kOrders) make_orders(x);
  Literal result = Literal::uninitialized(x.shape());
  evaluate_reference(rival, x.bytes().data(), y.bytes().data(),
                     result.mutable_bytes().data(), x.element_count(),
                     numeric::format(type));
  Checksum checksum;
  checksum.add(result.bytes());
  return {std::string(rival.name) + " " + std::string(name(type)),
          checksum.value()};
}

/// Turns the sign of every other element, so that sums cancel.
void alternate(Literal& literal) {
  const uint64_t sign = numeric::format(literal.type()).sign_mask();
  for (int64_t i = 1; i < literal.element_count(); i += 2) {
    Scalar element = literal.at(i);
    element.bits[0] ^= sign;
    literal.set(i, element);
  }
}

BatteryPart program_part(std::string_view text, int threads) {
  const Module module = verified_module(text);
  std::vector<Literal> arguments;
  const auto& parameters = module.entry->parameters;
  for (size_t p = 0; p < parameters.size(); ++p) {
    arguments.push_back(random_input(0, static_cast<int64_t>(p),
                                     parameters[p]->shape, /*fan_in=*/1));
    if (p == 0) alternate(arguments[0]);
  }
  const Literal result =
      evaluate(module, std::move(arguments), {.threads = threads});
  Checksum checksum;
  checksum.add(result.bytes());
  return {module.name, checksum.value()};
}

}  // namespace

std::vector<BatteryPart> run_battery(int64_t inputs, int threads) {
  const std::span<const Rival> rivals = all_rivals();
  const auto count = static_cast<int64_t>(rivals.size());
  const Evaluator evaluator(kReference,
                            {.threads = threads, .max_work = Budget::kEndless});
  std::vector<BatteryPart> parts;
  for (const TypeInfo& type : all_types()) {
    if (!is_float(type.type)) continue;
    const size_t first = parts.size();
    parts.resize(first + rivals.size());
    evaluator.parallel_for(count, 1, [&](int64_t begin, int64_t end) {
      for (auto r = static_cast<size_t>(begin); r < static_cast<size_t>(end);
           ++r) {
        parts[first + r] = function_part(rivals[r], type.type, inputs);
      }
    });
  }
  for (const std::string& text : sums()) {
    parts.push_back(program_part(text, threads));
  }
  return parts;
}

}  // namespace hlo::conformance
