#include "interpreter/numeric/f32/ends_array.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "interpreter/numeric/f32/round_narrow.h"
#include "interpreter/numeric/f32/special_kernels.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::numeric {
namespace {

constexpr int64_t kBlock = 256;

/// In formats of one NaN and no infinity both may overflow to the same code.
bool have_two_signs(double low, double high) { return low < 0 && high > 0; }

}  // namespace

template <typename Code>
void round_by_ends(Function function, const Code* x, Code* result, int64_t n,
                   const FloatFormat& format) {
  const EndsOf ends_at = ends_of(function);
  std::array<double, kBlock> low;
  std::array<double, kBlock> high;
  std::array<Code, kBlock> others;
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    const int64_t count = std::min(kBlock, n - begin);
    decode_array(x + begin, low.data(), count, format);
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      const Ends ends = ends_at(low[i]);
      low[i] = ends.low;
      high[i] = ends.high;
    }
    encode_array(low.data(), result + begin, count, format);
    encode_array(high.data(), others.data(), count, format);
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      Code& code = result[begin + static_cast<int64_t>(i)];
      if (code == others[i] && !have_two_signs(low[i], high[i])) continue;
      const Code argument = x[begin + static_cast<int64_t>(i)];
      code = static_cast<Code>(round_narrow(function, argument, format).bits);
    }
  }
}

template void round_by_ends(Function, const uint8_t*, uint8_t*, int64_t,
                            const FloatFormat&);
template void round_by_ends(Function, const uint16_t*, uint16_t*, int64_t,
                            const FloatFormat&);
template void round_by_ends(Function, const uint32_t*, uint32_t*, int64_t,
                            const FloatFormat&);

}  // namespace hlo::numeric
