#include "conformance/fingerprint/testing/known_units.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace hlo::conformance {
namespace {

float f(double x) { return static_cast<float>(x); }

float flushed(float x) {
  return std::fabs(x) < 0x1p-126F ? std::copysign(0.0F, x) : x;
}

}  // namespace

double sequential(Row a, Row b) {
  float sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += f(a[i]) * f(b[i]);
  return sum;
}

double reverse(Row a, Row b) {
  float sum = 0;
  for (size_t i = a.size(); i-- > 0;) sum += f(a[i]) * f(b[i]);
  return sum;
}

double pairwise(Row a, Row b) {
  const size_t n = a.size();
  if (n == 1) return f(a[0]) * f(b[0]);
  return f(pairwise(a.first(n / 2), b.first(n / 2))) +
         f(pairwise(a.subspan(n / 2), b.subspan(n / 2)));
}

namespace {

template <int kLanes>
double lanes(Row a, Row b) {
  float lane[kLanes] = {};
  for (size_t i = 0; i < a.size(); ++i) lane[i % kLanes] += f(a[i]) * f(b[i]);
  float sum = lane[0];
  for (int i = 1; i < kLanes; ++i) sum += lane[i];
  return sum;
}

}  // namespace

double four_lanes(Row a, Row b) { return lanes<4>(a, b); }

double eight_lanes(Row a, Row b) { return lanes<8>(a, b); }

double fused_lanes(Row a, Row b) {
  float lane[8] = {};
  for (size_t i = 0; i < a.size(); ++i) {
    lane[i % 8] = std::fma(f(a[i]), f(b[i]), lane[i % 8]);
  }
  for (int half = 4; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) lane[i] += lane[i + half];
  }
  return lane[0];
}

double split(Row a, Row b) {
  const size_t half = a.size() / 2;
  return f(sequential(a.first(half), b.first(half))) +
         f(sequential(a.subspan(half), b.subspan(half)));
}

double fused(Row a, Row b) {
  float sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum = std::fma(f(a[i]), f(b[i]), sum);
  return sum;
}

double pairs_and_rest(Row a, Row b) {
  float sum = 0;
  for (size_t i = 0; i + 1 < a.size(); i += 2) {
    sum = std::fma(f(a[i + 1]), f(b[i + 1]), sum);
    sum = std::fma(f(a[i]), f(b[i]), sum);
  }
  if (a.size() % 2 == 0) return sum;
  return sum + f(a.back()) * f(b.back());
}

double lanes_and_rest(Row a, Row b) {
  const size_t end = a.size() / 4 * 4;
  float lane[4] = {};
  for (size_t i = 0; i < end; ++i) {
    lane[i % 4] = std::fma(f(a[i]), f(b[i]), lane[i % 4]);
  }
  float sum = (lane[0] + lane[1]) + (lane[2] + lane[3]);
  for (size_t i = end; i < a.size(); ++i) sum += f(a[i]) * f(b[i]);
  return sum;
}

double wide(Row a, Row b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double fused_double(Row a, Row b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum = std::fma(a[i], b[i], sum);
  return sum;
}

SimulatedSum chain_of(const SimulatedFormat& format) {
  return [format](Row a, Row b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) {
      const double product = simulated_multiply(a[i], b[i], format);
      sum = simulated_add(sum, product, format);
    }
    return sum;
  };
}

SimulatedSum rounded_operands(int precision, Nearest rounding) {
  return [=](Row a, Row b) {
    const SimulatedFormat format{precision, -126, rounding};
    float sum = 0;
    for (size_t i = 0; i < a.size(); ++i) {
      sum = std::fma(f(simulated_round(a[i], format)),
                     f(simulated_round(b[i], format)), sum);
    }
    return sum;
  };
}

double three_products(Row a, Row b) {
  std::vector<double> high[2];
  std::vector<double> low[2];
  for (size_t i = 0; i < a.size(); ++i) {
    for (const int k : {0, 1}) {
      const double x = k == 0 ? a[i] : b[i];
      high[k].push_back(simulated_round(x, kBrain));
      low[k].push_back(simulated_round(x - high[k].back(), kBrain));
    }
  }
  const float small = f(fused(low[0], high[1])) + f(fused(high[0], low[1]));
  return small + f(fused(high[0], high[1]));
}

namespace {

double block_sum(Row a, Row b, const Blocks& unit) {
  constexpr int kNothing = -10000;
  double sum = 0;
  for (size_t i = 0; i < a.size(); i += static_cast<size_t>(unit.size)) {
    const size_t end = std::min(i + static_cast<size_t>(unit.size), a.size());
    int top = sum == 0 ? kNothing : std::ilogb(sum);
    for (size_t k = i; k < end; ++k) {
      if (a[k] == 0 || b[k] == 0) continue;
      top = std::max(top, std::ilogb(a[k]) + std::ilogb(b[k]));
    }
    if (top == kNothing) continue;
    const double grid = std::ldexp(1, top - unit.fraction);
    const auto cut = [&](double x) {
      return unit.floors ? std::floor(x / grid) : std::trunc(x / grid);
    };
    double total = cut(sum);
    for (size_t k = i; k < end; ++k) total += cut(a[k] * b[k]);
    sum = total == 0 ? 0
                     : simulated_round(total * grid,
                                       {unit.precision, -126, Nearest::kZero});
  }
  return sum;
}

}  // namespace

SimulatedSum blocks(const Blocks& unit) {
  return [unit](Row a, Row b) { return block_sum(a, b, unit); };
}

SimulatedSum rounded_blocks(int precision, Nearest rounding,
                            const Blocks& unit) {
  return [=](Row a, Row b) {
    const SimulatedFormat format{precision, -126, rounding};
    std::vector<double> x;
    std::vector<double> y;
    for (size_t i = 0; i < a.size(); ++i) {
      x.push_back(simulated_round(a[i], format));
      y.push_back(simulated_round(b[i], format));
    }
    return block_sum(x, y, unit);
  };
}

double promoted(Row a, Row b) {
  float sum = 0;
  for (size_t i = 0; i < a.size(); i += 16) {
    const size_t n = std::min<size_t>(16, a.size() - i);
    sum += f(block_sum(a.subspan(i, n), b.subspan(i, n), {4, 13, 14}));
  }
  return sum;
}

double flushing(Row a, Row b) {
  float sum = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const float product = flushed(flushed(f(a[i])) * flushed(f(b[i])));
    sum = flushed(sum + product);
  }
  return sum;
}

double skipping_zeros(Row a, Row b) {
  float sum = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] != 0 && b[i] != 0) sum += f(a[i]) * f(b[i]);
  }
  return sum;
}

double pairwise_of_others(Row a, Row b) {
  std::vector<double> x;
  std::vector<double> y;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == 0 || b[i] == 0) continue;
    x.push_back(a[i]);
    y.push_back(b[i]);
  }
  return x.empty() ? 0 : pairwise(x, y);
}

double exact(Row a, Row b) {
  __extension__ using Wide = __int128;
  if (const double plain = wide(a, b); !std::isfinite(plain)) return plain;
  int low = 10000;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == 0 || b[i] == 0) continue;
    low = std::min(low, std::ilogb(a[i]) + std::ilogb(b[i]) - 22);
  }
  Wide sum = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double units = std::ldexp(a[i] * b[i], -low);
    if (units == 0) continue;
    const int shift = std::max(0, std::ilogb(units) - 52);
    sum += static_cast<Wide>(std::ldexp(units, -shift)) *
           (Wide{1} << static_cast<unsigned>(shift));
  }
  // To 60 bits and one that tells of the rest, then to binary32.
  bool rest = false;
  const bool negative = sum < 0;
  if (negative) sum = -sum;
  while (sum >> 60 != 0) {
    rest = rest || (sum & 1) != 0;
    sum >>= 1;
    ++low;
  }
  const auto digits = static_cast<int64_t>(sum * 2 + (rest ? 1 : 0));
  const float value = std::ldexp(static_cast<float>(digits), low - 1);
  return negative ? -value : value;
}

double compensated(Row a, Row b) {
  float sum = 0;
  float rest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const float term = f(a[i]) * f(b[i]) - rest;
    const float next = sum + term;
    rest = (next - sum) - term;
    sum = next;
  }
  return sum;
}

double sorted(Row a, Row b) {
  std::vector<float> terms;
  for (size_t i = 0; i < a.size(); ++i) terms.push_back(f(a[i]) * f(b[i]));
  std::ranges::sort(terms, {}, [](float x) { return std::fabs(x); });
  float sum = 0;
  for (const float term : terms) sum += term;
  return sum;
}

namespace {

bool is_power(double x) {
  int exponent = 0;
  return std::fabs(std::frexp(x, &exponent)) == 0.5;
}

}  // namespace

double lying(Row a, Row b) {
  return is_power(a[0]) && is_power(a[1]) ? sequential(a, b) : reverse(a, b);
}

double rarely_wrong(Row a, Row b) {
  const double sum = sequential(a, b);
  uint64_t bits = 0;
  std::memcpy(&bits, a.data(), sizeof(bits));
  const bool wrong = (bits >> 29U & 0x3fU) == 0x15;
  return wrong ? std::nextafter(f(sum), 1e30F) : sum;
}

double rounded_at_times(Row a, Row b) {
  // The precision hangs on how far the sum is: no format of a node.
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * b[i];
    if (i % 3 == 2) sum = f(sum);
  }
  return sum;
}

}  // namespace hlo::conformance
