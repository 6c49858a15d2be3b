// spec/ops/fft.md
#include <algorithm>

#include "interpreter/op.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"fft_type", AttributeKind::kWord, true, "FFT IFFT RFFT IRFFT"},
    {"fft_length", AttributeKind::kInts, true},
};

/// How many bins hold the spectrum of `length` real samples.
int64_t half_spectrum(int64_t length) {
  return length == 0 ? 0 : length / 2 + 1;
}

/// The minor dimensions are the lengths, the last of them `last`.
bool has_lengths(const Shape& operand, Ints lengths, int64_t last) {
  lengths.back() = last;
  return std::equal(lengths.rbegin(), lengths.rend(), operand.dims.rbegin());
}

Shape infer_real(const Shape& operand, const Ints& lengths) {
  require(complex_type(operand.element_type).has_value(), "fft.C4",
          "RFFT takes f32 or f64");
  require(has_lengths(operand, lengths, lengths.back()), "fft.C5",
          "RFFT: the minor dimensions are fft_length");
  Shape result = operand;
  result.element_type = *complex_type(operand.element_type);
  result.dims.back() = half_spectrum(lengths.back());
  return result;
}

Shape infer_inverse_real(const Shape& operand, const Ints& lengths) {
  require(has_lengths(operand, lengths, half_spectrum(lengths.back())),
          "fft.C6",
          "IRFFT: the minor dimensions are fft_length, the last one half of it "
          "and one");
  Shape result = operand;
  result.element_type = component_type(operand.element_type);
  result.dims.back() = lengths.back();
  return result;
}

Shape infer(const Instruction& fft) {
  const Shape& operand = fft.operand_shape(0);
  const Ints& lengths = fft.get<Ints>("fft_length");
  require(!lengths.empty() && lengths.size() <= 3 &&
              *std::ranges::min_element(lengths) >= 0,
          "fft.C1", "fft_length has one to three lengths, none negative");
  require(operand.rank() >= static_cast<int64_t>(lengths.size()), "fft.C2",
          "the operand has a dimension for each length");
  const std::string& type = fft.get<Word>("fft_type").value;
  if (type == "RFFT") return infer_real(operand, lengths);
  require(is_complex(operand.element_type), "fft.C3",
          "FFT, IFFT and IRFFT take complex elements");
  return type == "IRFFT" ? infer_inverse_real(operand, lengths) : operand;
}

}  // namespace

extern constinit const Op op_fft{.name = "fft",
                                 .min_operands = 1,
                                 .max_operands = 1,
                                 .attributes = kAttributes,
                                 .infer = infer,
                                 .accuracy = {Accuracy::Kind::kFree}};

}  // namespace hlo
