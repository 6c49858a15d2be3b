#pragma once

#include <span>

#include "conformance/fingerprint/testing/simulated_unit.h"

// Units of known construction, each written as a plain loop: what a fingerprint
// must tell of them is known.
namespace hlo::conformance {

using Row = std::span<const double>;

// One order each, in binary32 with rounded products.
double sequential(Row a, Row b);
double reverse(Row a, Row b);
double pairwise(Row a, Row b);
double four_lanes(Row a, Row b);
double eight_lanes(Row a, Row b);
double split(Row a, Row b);

// Fused products, and sums that are wider than binary32.
double fused(Row a, Row b);
double fused_lanes(Row a, Row b);
double wide(Row a, Row b);
double fused_double(Row a, Row b);
/// As an instruction for pairs of bf16 has it: the second of each two first,
/// fused; a rounded product where one term is left.
double pairs_and_rest(Row a, Row b);
/// Four fused lanes, added as neighbours, and rounded products of what is left.
double lanes_and_rest(Row a, Row b);

inline constexpr SimulatedFormat kBrain = {
    .precision = 8, .min_exponent = -126, .rounding = Nearest::kEven};
inline constexpr SimulatedFormat kHalf = {
    .precision = 11, .min_exponent = -14, .rounding = Nearest::kEven};

/// Rounded products and sums of one format, one after the other.
SimulatedSum chain_of(const SimulatedFormat& format);
/// A fused chain over operands that are rounded first.
SimulatedSum rounded_operands(int precision, Nearest rounding);
/// Three products of the halves of bf16, the small ones first.
double three_products(Row a, Row b);

/// A matrix unit: products and the sum so far, aligned to the largest exponent
/// (of the factors), cut off, added, rounded toward zero.
struct Blocks {
  int size;
  int fraction;
  int precision;
  bool floors = false;
};

SimulatedSum blocks(const Blocks& unit);
/// A matrix unit whose operands are rounded first: f32 to TF32, or to bf16.
SimulatedSum rounded_blocks(int precision, Nearest rounding,
                            const Blocks& unit);
/// Parts of 16 terms in a narrow unit, added in binary32.
double promoted(Row a, Row b);

double flushing(Row a, Row b);
double skipping_zeros(Row a, Row b);
/// The products that are not zero, as pairwise() adds them.
double pairwise_of_others(Row a, Row b);
/// Rounded once to binary32; of f16 operands.
double exact(Row a, Row b);

// What no model here describes: Kahan's sum; the smallest numbers first; one
// order for the numbers of probes and another one for others; a bit wrong where
// the last bits of the first term happen to be so; a sum that is rounded at
// every third term.
double compensated(Row a, Row b);
double sorted(Row a, Row b);
double lying(Row a, Row b);
double rarely_wrong(Row a, Row b);
double rounded_at_times(Row a, Row b);

}  // namespace hlo::conformance
