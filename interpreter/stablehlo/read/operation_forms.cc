#include "interpreter/stablehlo/read/operation_forms.h"

#include <string>
#include <unordered_map>

namespace hlo::stablehlo {
namespace {

/// Operations that are written alike.
struct Group {
  std::string_view dialect;
  std::string_view names;
  Form form;
};

constexpr Keyword kPrecision = {"precision", "precision_config", Item::kWords,
                                true};

constexpr std::array kGroups = {
    Group{"stablehlo",
          "abs bitcast_convert cbrt ceil convert cosine count_leading_zeros "
          "exponential exponential_minus_one floor imag is_finite log "
          "log_plus_one logistic negate not popcnt real reshape "
          "round_nearest_afz round_nearest_even rsqrt sign sine sqrt tan tanh "
          "uniform_dequantize uniform_quantize",
          {1, Types::kSame}},
    Group{"stablehlo",
          "add and atan2 divide maximum minimum multiply or power remainder "
          "shift_left shift_right_arithmetic shift_right_logical subtract xor",
          {2, Types::kSame}},
    Group{"stablehlo", "clamp", {3, Types::kSame}},
    Group{"stablehlo", "select", {3, Types::kSelect}},
    Group{"stablehlo", "complex", {2, Types::kResult}},
    Group{"stablehlo",
          "compare",
          {2,
           Types::kSame,
           Start::kDirection,
           {{{"", "compare_type", Item::kWord, true}}}}},
    Group{"stablehlo", "constant", {0, Types::kResult, Start::kConstant}},
    Group{"chlo", "constant", {0, Types::kResult, Start::kConstant}},
    Group{"stablehlo",
          "iota",
          {0, Types::kResult, Start::kNone, {{{"dim", "iota_dimension"}}}}},
    Group{"stablehlo",
          "dynamic_iota",
          {1, Types::kFunction, Start::kNone, {{{"dim", "iota_dimension"}}}}},
    Group{"stablehlo",
          "cholesky",
          {1,
           Types::kSame,
           Start::kNone,
           {{{"lower", "lower", Item::kBoolean, true}}}}},
    Group{"stablehlo",
          "broadcast",
          {1,
           Types::kFunction,
           Start::kNone,
           {{{"sizes", "broadcast_sizes", Item::kIntegers}}}}},
    Group{"stablehlo",
          "broadcast_in_dim",
          {1,
           Types::kSame,
           Start::kNone,
           {{{"dims", "broadcast_dimensions", Item::kIntegers}}}}},
    Group{"stablehlo",
          "dynamic_broadcast_in_dim",
          {2,
           Types::kFunction,
           Start::kNone,
           {{{"dims", "broadcast_dimensions", Item::kIntegers}}}}},
    Group{"stablehlo",
          "transpose",
          {1,
           Types::kSame,
           Start::kNone,
           {{{"dims", "permutation", Item::kIntegers}}}}},
    Group{"stablehlo",
          "reverse",
          {1,
           Types::kSame,
           Start::kNone,
           {{{"dims", "dimensions", Item::kIntegers}}}}},
    Group{"stablehlo", "dynamic_reshape", {2}},
    Group{"stablehlo", "real_dynamic_slice", {4}},
    Group{"stablehlo", "dynamic_pad", {5}},
    Group{"stablehlo", "dynamic_update_slice torch_index_select", {}},
    Group{"stablehlo",
          "get_dimension_size",
          {1, Types::kFunction, Start::kNone, {{{"dim", "dimension"}}}}},
    Group{"stablehlo",
          "set_dimension_size",
          {2, Types::kFunction, Start::kNone, {{{"dim", "dimension"}}}}},
    Group{"stablehlo", "slice", {1, Types::kFunction, Start::kRanges}},
    Group{"stablehlo",
          "dynamic_slice",
          {kAnyCount,
           Types::kFunction,
           Start::kNone,
           {{{"sizes", "slice_sizes", Item::kIntegers}}}}},
    Group{
        "stablehlo",
        "concatenate",
        {kAnyCount, Types::kFunction, Start::kNone, {{{"dim", "dimension"}}}}},
    Group{"stablehlo",
          "pad",
          {2,
           Types::kFunction,
           Start::kNone,
           {{{"low", "edge_padding_low", Item::kIntegers},
             {"high", "edge_padding_high", Item::kIntegers},
             {"interior", "interior_padding", Item::kIntegers}}}}},
    Group{"stablehlo",
          "dot",
          {2, Types::kFunction, Start::kNone, {{kPrecision}}}},
    Group{"stablehlo",
          "dot_general",
          {2,
           Types::kFunction,
           Start::kNone,
           {{{"batching_dims", "batching", Item::kPairs, true},
             {"contracting_dims", "contracting", Item::kPairs, true},
             kPrecision,
             {"algorithm", "algorithm", Item::kAlgorithm, true}}}}},
    Group{"stablehlo",
          "convolution dynamic_conv",
          {kAnyCount, Types::kFunction, Start::kConvolution}},
    Group{"stablehlo",
          "einsum unary_einsum",
          {kAnyCount,
           Types::kFunction,
           Start::kNone,
           {{{"config", "einsum_config", Item::kString}}}}},
    Group{"stablehlo", "reduce", {kAnyCount, Types::kFunction, Start::kReduce}},
    Group{"stablehlo", "while", {kAnyCount, Types::kEach, Start::kWhile}},
    Group{"stablehlo",
          "custom_call",
          {kAnyCount, Types::kFunction, Start::kTarget}},
    Group{
        "stablehlo", "composite", {kAnyCount, Types::kFunction, Start::kName}},
    Group{"stablehlo",
          "reduce_precision",
          {1,
           Types::kSame,
           Start::kNone,
           {{{"format", "exponent_bits", Item::kFormat}}}}},
    Group{"stablehlo",
          "fft",
          {1,
           Types::kFunction,
           Start::kNone,
           {{{"type", "fft_type", Item::kWord},
             {"length", "fft_length", Item::kIntegers}}}}},
    Group{"stablehlo",
          "rng",
          {3,
           Types::kFunction,
           Start::kNone,
           {{{"distribution", "rng_distribution", Item::kWord}}}}},
    Group{"stablehlo",
          "rng_bit_generator",
          {1,
           Types::kFunction,
           Start::kNone,
           {{{"algorithm", "rng_algorithm", Item::kWord}}}}},
    Group{"stablehlo",
          "after_all create_token partition_id replica_id tuple",
          {kAnyCount, Types::kResult}},
    Group{"stablehlo",
          "get_tuple_element",
          {1, Types::kFunction, Start::kPosition}},
    Group{"stablehlo", "optimization_barrier", {kAnyCount, Types::kEach}},
    Group{"stablehlo", "return", {kAnyCount, Types::kOperands}},
    Group{"func", "return", {kAnyCount, Types::kOperands}},
    Group{"func", "call", {kAnyCount, Types::kFunction, Start::kCallee}},
    Group{"check", "expect_eq expect_eq_const", {kAnyCount, Types::kOperands}},
    Group{"check",
          "expect_almost_eq expect_almost_eq_const",
          {kAnyCount,
           Types::kOperands,
           Start::kNone,
           {{{"tolerance", "tolerance", Item::kFloat, true}}}}},
    Group{"check",
          "expect_close expect_close_const",
          {kAnyCount,
           Types::kOperands,
           Start::kNone,
           {{{"max_ulp_difference", "max_ulp_difference", Item::kInteger, true},
             {"min_ulp_difference", "min_ulp_difference", Item::kInteger,
              true}}}}},
    Group{"check",
          "expect_serialized_eq",
          {1,
           Types::kOperands,
           Start::kNone,
           {{{"probe_id", "probe_id", Item::kString},
             {"iter", "iteration", Item::kInteger, true}}}}},
    Group{"interpreter",
          "probe",
          {1,
           Types::kSame,
           Start::kNone,
           {{{"probe_id", "probe_id", Item::kString}}}}},
    Group{"interpreter", "print", {1, Types::kOperands}},
    Group{"chlo",
          "acos acosh asin asinh atan atanh bessel_i1e conj constant_like cosh "
          "digamma erf erf_inv erfc is_inf is_neg_inf is_pos_inf lgamma sinh "
          "square tan",
          {1, Types::kSame}},
    Group{"chlo",
          "broadcast_add broadcast_and broadcast_atan2 broadcast_compare "
          "broadcast_complex broadcast_divide broadcast_maximum "
          "broadcast_minimum broadcast_multiply broadcast_next_after "
          "broadcast_or broadcast_polygamma broadcast_power "
          "broadcast_remainder broadcast_shift_left "
          "broadcast_shift_right_arithmetic broadcast_shift_right_logical "
          "broadcast_subtract broadcast_xor broadcast_zeta mulhi next_after "
          "polygamma zeta",
          {2, Types::kSame}},
    Group{"chlo", "broadcast_select", {3, Types::kFunction}},
    Group{"chlo", "minimum_broadcast_shapes", {kAnyCount, Types::kLists}},
    Group{"chlo", "top_k", {1, Types::kFunction, Start::kNone, {{{"k", "k"}}}}},
    Group{"chlo", "scan", {kAnyCount, Types::kFunction, Start::kScan}},
    Group{"sdy", "sharding_constraint", {1, Types::kSame, Start::kSharding}},
    Group{"sdy",
          "manual_computation",
          {kAnyCount, Types::kFunction, Start::kManual}},
    Group{"sdy", "return", {kAnyCount, Types::kOperands}},
};

/// Finds names without making strings of them.
struct Hash {
  using is_transparent = void;

  size_t operator()(std::string_view name) const {
    return std::hash<std::string_view>{}(name);
  }
};

using Table =
    std::unordered_map<std::string, const Form*, Hash, std::equal_to<>>;

Table make_table() {
  Table table;
  for (const Group& group : kGroups) {
    std::string_view names = group.names;
    while (!names.empty()) {
      const std::string_view name = names.substr(0, names.find(' '));
      table[std::string(group.dialect) + "." + std::string(name)] = &group.form;
      names.remove_prefix(std::min(name.size() + 1, names.size()));
    }
  }
  return table;
}

}  // namespace

const Form* find_form(std::string_view name) {
  static const Table table = make_table();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace hlo::stablehlo
