// spec/ops/fft.md
#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/fourier/fourier.h"
#include "interpreter/rules/plan.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

int64_t count(std::span<const int64_t> dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1},
                         std::multiplies{});
}

/// The minor dimensions of an array, one for each length.
Ints minor_dims(const Shape& shape, const Ints& lengths) {
  return {shape.dims.end() - std::ssize(lengths), shape.dims.end()};
}

bool is_inside(const Index& place, const Ints& dims) {
  return std::ranges::equal(place, dims, std::less{});
}

/// The numbers of transform i: the operand's elements, zeros where it is
/// shorter. Where it is half of a spectrum, the other half is that of a
/// spectrum of real numbers.
FourierInput read(const Literal& operand, int64_t i, const Ints& lengths,
                  bool halved) {
  FourierInput input{lengths, {}, {}};
  const Ints dims = minor_dims(operand.shape(), lengths);
  const int64_t first = i * count(dims);
  const numeric::FloatFormat& format =
      numeric::format(component_type(operand.type()));
  for (int64_t t = 0; t < count(lengths); ++t) {
    Index place = delinearize(t, lengths);
    const bool mirrored = halved && place.back() >= dims.back();
    for (size_t d = 0; mirrored && d < place.size(); ++d) {
      place[d] = (lengths[d] - place[d]) % lengths[d];
    }
    Scalar x{operand.type(), {0, 0}};
    if (is_inside(place, dims)) x = operand.at(first + linearize(place, dims));
    const double imaginary =
        is_complex(x.type) ? numeric::decode(x.bits[1], format) : 0;
    input.real.push_back(numeric::decode(x.bits[0], format));
    input.imaginary.push_back(mirrored ? -imaginary : imaginary);
  }
  return input;
}

/// Puts the sums of transform i into the result, zeros where it is longer.
void write(const FourierCodes& codes, int64_t i, const Ints& lengths,
           Literal& result) {
  const Ints dims = minor_dims(result.shape(), lengths);
  const int64_t first = i * count(dims);
  for (int64_t j = 0; j < count(dims); ++j) {
    const Index place = delinearize(j, dims);
    if (!is_inside(place, lengths)) continue;
    const auto from = static_cast<size_t>(linearize(place, lengths));
    result.set(first + j, {.type = result.type(),
                           .bits = {codes.real[from], codes.imaginary[from]}});
  }
}

std::optional<Literal> value(const Instruction& fft, Operands operands,
                             Evaluator& evaluator) {
  const Ints& lengths = fft.get<Ints>("fft_length");
  const std::string& type = fft.get<Word>("fft_type").value;
  Literal result(fft.shape);
  if (result.element_count() == 0 || count(lengths) == 0) return result;
  const bool inverse = type == "IFFT" || type == "IRFFT";
  const numeric::FloatFormat& format =
      numeric::format(component_type(result.type()));
  const int64_t transforms =
      result.element_count() / count(minor_dims(fft.shape, lengths));
  evaluator.parallel_for(transforms, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const FourierInput input = read(operands[0], i, lengths, type == "IRFFT");
      write(fourier_transform(input, inverse, format), i, lengths, result);
    }
  });
  return result;
}

}  // namespace

extern constinit const Plan plan_fft{.value = value};

}  // namespace hlo
