#include "backends/gpu/operations/fourier/spectrum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace hlo::gpu {
namespace {

constexpr int64_t kPairBytes = 32;     // of both parts of a number
constexpr int64_t kMeasureBytes = 32;  // of a transform

/// How far each part of a sum may be off, in parts of the sum of the moduli of
/// all numbers. A step's term z is turned by a root each part of which is off
/// by 2^-97: by sqrt(2) 2^-97 |z|; each of both products and their sum are
/// rounded, which adds sqrt(2) 3 2^-100 |z|, together less than 2^-96 |z|; and
/// each of r additions adds 2^-100 of its sum, sqrt(2) of that for both parts.
/// Sums have at most the moduli of what they add, so that the errors of the
/// steps add up; 2^-20 covers products of them.
double error_of(const Ints& lengths) {
  double error = 0;
  for (const int64_t length : lengths) {
    for (const int64_t radix : radices(length)) {
      error += 0x1p-96 + static_cast<double>(radix) * 0x1.8p-100;
    }
  }
  return error * (1 + 0x1p-20);
}

}  // namespace

Spectrum::Spectrum(const Transform& transform)
    : transform_(transform),
      measures_(new_bytes(transform.memory, transform.outer * kMeasureBytes)),
      sums_(new_bytes(transform.memory, transform.sums() * kPairBytes)) {
  Device& device = transform.memory.device();
  const Value roots = new_bytes(transform.memory, transform.order * kPairBytes);
  device.run(Kernel::kRoots, Ints{transform.order, roots.offset()},
             transform.order);
  Ints own = words();
  set_word(own, TRANSFORM_END, transform.outer);
  device.run(Kernel::kMeasure, own, transform.outer);
  set_word(own, TRANSFORM_END, transform.sums());
  device.run(Kernel::kPoints, own, transform.sums());
  Value other = new_bytes(transform.memory, transform.sums() * kPairBytes);
  run_steps(transform, Kernel::kTurn, sums_, other, roots, {});
  const int64_t elements = transform.fft.shape.element_count();
  device.run(Kernel::kSpectrum, words(), elements);
}

Ints Spectrum::words() const {
  Ints words = transform_.words();
  set_word(words, TRANSFORM_MEASURES, measures_.offset());
  set_word(words, TRANSFORM_SUMS, sums_.offset());
  set_word(words, TRANSFORM_ERROR,
           std::bit_cast<int64_t>(error_of(transform_.lengths)));
  return words;
}

Spectrum::Span Spectrum::span() const {
  const Literal bytes = download(transform_.memory, measures_);
  Span span{INT64_MAX, INT64_MIN};
  for (int64_t k = 0; k < transform_.outer; ++k) {
    std::array<int64_t, 4> measure{};
    std::memcpy(measure.data(), bytes.bytes().data() + k * kMeasureBytes,
                kMeasureBytes);
    const auto [above, last, moduli, is_finite] = measure;
    if (is_finite == 0 || std::bit_cast<double>(moduli) == 0) continue;
    span.last = std::min(span.last, last);
    span.above = std::max(span.above, above);
  }
  return span.last == INT64_MAX ? Span{} : span;
}

}  // namespace hlo::gpu
