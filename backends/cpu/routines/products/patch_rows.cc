#include "backends/cpu/routines/products/patch_rows.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "backends/cpu/arrays/contraction_form.h"
#include "backends/cpu/kernels/tiles/tile_program.h"

namespace hlo::cpu {
namespace {

View features_innermost(const Shape& shape, const ConvolutionSide& side) {
  return View::dense(shape.dims).permuted(features_last(side));
}

Windows windows_of(const Instruction& convolution, const View& input,
                   const View& output) {
  return Windows(
      window_lines(convolution.get_or<Window>("window", {}), input, output));
}

}  // namespace

PatchRows::PatchRows(const Instruction& convolution)
    : input(features_innermost(convolution.operand_shape(0),
                               convolution.get<DimLabels>("dim_labels").input)),
      windows(windows_of(
          convolution, View::dense(input.dims),
          features_innermost(convolution.shape,
                             convolution.get<DimLabels>("dim_labels").output))),
      width(storage_bytes(convolution.operand_shape(0).element_type)),
      batch_step(View::dense(input.dims).strides[0]),
      groups(convolution.get_or<int64_t>("feature_group_count", 1)),
      inputs(input.dims.back() / groups) {
  const Ints places =
      features_last(convolution.get<DimLabels>("dim_labels").output);
  const View output = View::dense(convolution.shape.dims).permuted(places);
  outputs = output.dims.back() / groups;
  result = View::dense(output.dims).permuted(inverse(places));
}

const std::byte* PatchRows::arranged(const std::byte* from,
                                     AlignedBytes& copy) const {
  if (input.is_contiguous()) return from;
  const auto bytes = static_cast<size_t>(width);
  copy = aligned_bytes(static_cast<size_t>(input.count()) * bytes);
  copy_view(input, bytes, from, copy.get());
  return copy.get();
}

void PatchRows::read_row(const std::byte* batch, const int64_t* taps, int64_t k,
                         int64_t count, std::byte* to) const {
  for (const int64_t last = k + count; k < last;) {
    const int64_t feature = k % inputs;
    const int64_t n = std::min(inputs - feature, last - k);
    const int64_t at = taps[k / inputs];
    const auto size = static_cast<size_t>(n * width);
    at < 0 ? std::memset(to, 0, size)
           : std::memcpy(to, batch + (at + feature) * width, size);
    to += size;
    k += n;
  }
}

void PatchRows::read(const std::byte* from, int64_t first, int64_t count,
                     int64_t k, int64_t depth, int64_t step,
                     std::byte* to) const {
  const int64_t taps = windows.taps();
  std::vector<int64_t> at(static_cast<size_t>(count * taps));
  for (int64_t i = 0; i < count;) {
    const int64_t place = (first + i) % windows.places();
    const int64_t n = std::min(count - i, windows.places() - place);
    windows.offsets(place, n, at.data() + i * taps);
    const std::byte* const batch =
        from + (first + i) / windows.places() * batch_step * width;
    for (const int64_t end = i + n; i < end; ++i) {
      read_row(batch, at.data() + i * taps, k, depth, to + i * step * width);
    }
  }
}

}  // namespace hlo::cpu
