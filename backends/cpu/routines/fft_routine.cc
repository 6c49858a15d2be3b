#include "backends/cpu/routines/fft_routine.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backends/cpu/kernels/moves/turn_words.h"
#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/kernels/transforms/transform.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kLinesBeside = 8;  // lines that vectors transform together

/// Real or complex numbers of f32, line after line.
struct LineFormat {
  int64_t length = 0;  // of a line
  bool is_complex = false;

  int64_t words() const { return is_complex ? 2 * length : length; }
};

/// Transforms of one length, which are made when they are first asked for: no
/// program that is only looked at needs their tables.
class LaterTransform {
 public:
  explicit LaterTransform(int64_t length) : length_(length) {}

  const Transform& get() {
    std::call_once(
        made_, [this] { transform_.emplace(static_cast<size_t>(length_)); });
    return *transform_;
  }

 private:
  int64_t length_;
  std::once_flag made_;
  std::optional<Transform> transform_;
};

/// Lines of so many numbers that lie `stride` apart.
struct Dimension {
  int64_t length = 1;
  int64_t stride = 1;
  std::shared_ptr<LaterTransform> transform;
};

/// What an instruction transforms: first the lines of the last dimension.
struct LineTransforms {
  explicit LineTransforms(const Instruction& fft);

  int64_t numbers() const { return lines * last().length; }

  const Dimension& last() const { return dimensions[0]; }

  int64_t lines = 1;
  LineFormat from, to;
  std::vector<Dimension> dimensions;  // the last one first
  bool is_inverse = false;
  double factor = 1;  // of the result; in f64 it loses nothing that f32 has
};

LineFormat format_of(const Shape& shape) {
  return {shape.dims.back(), is_complex(shape.element_type)};
}

LineTransforms::LineTransforms(const Instruction& fft)
    : from(format_of(fft.operand_shape(0))), to(format_of(fft.shape)) {
  const std::string& type = fft.get<Word>("fft_type").value;
  lines = fft.shape.element_count() / to.length;
  is_inverse = type == "IFFT" || type == "IRFFT";
  const Ints& lengths = fft.get<Ints>("fft_length");
  int64_t stride = 1;
  for (size_t d = lengths.size(); d-- > 0;) {
    dimensions.push_back(
        {lengths[d], stride, std::make_shared<LaterTransform>(lengths[d])});
    stride *= lengths[d];
  }
  if (is_inverse) factor = 1 / static_cast<double>(stride);
}

/// Some lines side by side: number k of line g is number k * count + g of the
/// parts. In memory that this thread keeps for that, unless it is much.
class SideBySide {
 public:
  SideBySide(const Dimension& dimension, int64_t count, int64_t words)
      : transform_(dimension.transform->get()), count_(count) {
    const auto lines = static_cast<size_t>(count);
    const auto numbers = static_cast<size_t>(dimension.length) * lines;
    const size_t room = transform_.room_numbers(lines);
    const size_t of_parts = (2 * numbers + room) * sizeof(double);
    const size_t of_words = static_cast<size_t>(words) * lines * sizeof(float);
    constexpr size_t kMuch = size_t{16} << 20;
    const size_t size = of_parts + of_words;
    if (size > kMuch) own_ = aligned_bytes(size);
    std::byte* const memory =
        own_ != nullptr ? own_.get() : scratch_bytes(Scratch::kLines, size);
    auto* const parts = reinterpret_cast<double*>(memory);
    x_ = {parts, parts + numbers};
    room_ = x_.im + numbers;
    words_ = reinterpret_cast<float*>(memory + of_parts);
  }

  int64_t count() const { return count_; }

  ComplexParts x() const { return x_; }

  /// So many words of each line.
  float* words() const { return words_; }

  ComplexParts transformed(bool inverse) const {
    return transform_.apply(x_, static_cast<size_t>(count_), inverse, room_);
  }

  /// Calls visit(i) for each line; most groups have kLinesBeside.
  template <typename Visit>
  void each(const Visit& visit) const {
    if (count_ == kLinesBeside) {
      for (int64_t i = 0; i < kLinesBeside; ++i) visit(i);
    } else {
      for (int64_t i = 0; i < count_; ++i) visit(i);
    }
  }

 private:
  const Transform& transform_;
  int64_t count_;
  ComplexParts x_;
  double* room_ = nullptr;
  float* words_ = nullptr;
  AlignedBytes own_;
};

/// Some lines of the last dimension.
class LineGroup {
 public:
  LineGroup(const LineTransforms& all, int64_t first, int64_t count)
      : all_(all),
        first_(first),
        own_(all.last(), count, std::max(all.from.words(), all.to.words())) {}

  /// The numbers of these lines, which are read, as parts.
  ComplexParts transformed(const float* from) const {
    const int64_t words = all_.from.words();
    turn_words(sizeof(float), {from + first_ * words, words}, own_.count(),
               words, {own_.words(), own_.count()});
    widen();
    return own_.transformed(all_.is_inverse);
  }

  /// Writes them as lines of the result.
  void write(ComplexParts bins, float* to) const {
    float* word = own_.words();
    for (int64_t k = 0; k < all_.to.length; ++k) {
      narrow(bins.re + k * own_.count(), word);
      word += own_.count();
      if (!all_.to.is_complex) continue;
      narrow(bins.im + k * own_.count(), word);
      word += own_.count();
    }
    const int64_t words = all_.to.words();
    turn_words(sizeof(float), {own_.words(), own_.count()}, words, own_.count(),
               {to + first_ * words, words});
  }

  /// Writes them as lines of parts.
  void write(ComplexParts bins, ComplexParts to) const {
    const int64_t length = all_.last().length;
    for (const auto& [from, part] :
         {std::pair{bins.re, to.re}, std::pair{bins.im, to.im}}) {
      turn_words(sizeof(double), {from, own_.count()}, length, own_.count(),
                 {part + first_ * length, length});
    }
  }

 private:
  void widen() const {
    const int64_t count = own_.count();
    const auto [re, im] = own_.x();
    const float* word = own_.words();
    const auto next = [&](double* to) {
      own_.each([&](int64_t i) { to[i] = word[i]; });
      word += count;
    };
    for (int64_t k = 0; k < all_.from.length; ++k) {
      next(re + k * count);
      if (all_.from.is_complex) {
        next(im + k * count);
      } else {
        std::fill_n(im + k * count, count, 0.0);
      }
    }
    for (int64_t k = all_.from.length; k < all_.last().length; ++k) {
      // The other half of a spectrum is the conjugate of the opposite bins.
      const int64_t opposite = (all_.last().length - k) * count;
      for (int64_t i = 0; i < count; ++i) {
        re[k * count + i] = re[opposite + i];
        im[k * count + i] = -im[opposite + i];
      }
    }
  }

  void narrow(const double* from, float* to) const {
    own_.each(
        [&](int64_t i) { to[i] = static_cast<float>(from[i] * all_.factor); });
  }

  const LineTransforms& all_;
  int64_t first_;
  SideBySide own_;
};

/// Calls body(first, count) for groups of so many lines, of that length, that
/// lie beside each other in runs.
void share_groups(int64_t lines, int64_t run, int64_t length,
                  const std::function<void(int64_t, int64_t)>& body) {
  constexpr int64_t kOfTask = 4096;  // numbers
  const int64_t beside = std::min(
      run, std::clamp<int64_t>(lines / most_threads(), 1, kLinesBeside));
  const int64_t of_run = (run + beside - 1) / beside;
  const int64_t some = std::max<int64_t>(1, kOfTask / (length * beside));
  share_loop(lines / run * of_run, some, [&](int64_t i) {
    const int64_t begin = i % of_run * beside;
    body(i / of_run * run + begin, std::min(beside, run - begin));
  });
}

void transform_last(const LineTransforms& all, const float* from, float* to) {
  share_groups(all.lines, all.lines, all.last().length,
               [&](int64_t first, int64_t count) {
                 const LineGroup group(all, first, count);
                 group.write(group.transformed(from), to);
               });
}

/// Transforms lines of an outer dimension in place.
void transform_outer(const LineTransforms& all, const Dimension& dimension,
                     ComplexParts numbers) {
  const int64_t length = dimension.length;
  const int64_t stride = dimension.stride;
  const auto share = [&](int64_t first, int64_t count) {
    const SideBySide own(dimension, count, 0);
    const int64_t begin = first / stride * stride * length + first % stride;
    for (int64_t k = 0; k < length; ++k) {
      const int64_t at = begin + k * stride;
      std::copy_n(numbers.re + at, count, own.x().re + k * count);
      std::copy_n(numbers.im + at, count, own.x().im + k * count);
    }
    const ComplexParts bins = own.transformed(all.is_inverse);
    for (int64_t k = 0; k < length; ++k) {
      const int64_t at = begin + k * stride;
      std::copy_n(bins.re + k * count, count, numbers.re + at);
      std::copy_n(bins.im + k * count, count, numbers.im + at);
    }
  };
  share_groups(all.numbers() / length, stride, length, share);
}

/// Writes complex numbers of f32, up to the length of the result's lines.
void write_all(const LineTransforms& all, ComplexParts numbers, float* to) {
  const int64_t some = std::max<int64_t>(1, 4096 / all.last().length);
  share_loop(all.lines, some, [&](int64_t line) {
    const int64_t first = line * all.last().length;
    float* const own = to + line * all.to.words();
    for (int64_t k = 0; k < all.to.length; ++k) {
      own[2 * k] = static_cast<float>(numbers.re[first + k] * all.factor);
      own[2 * k + 1] = static_cast<float>(numbers.im[first + k] * all.factor);
    }
  });
}

void transform_all(const LineTransforms& all, const float* from, float* to) {
  const auto count = static_cast<size_t>(all.numbers());
  const AlignedBytes memory = aligned_bytes(2 * count * sizeof(double));
  auto* const re = reinterpret_cast<double*>(memory.get());
  const ComplexParts numbers{re, re + count};
  share_groups(all.lines, all.lines, all.last().length,
               [&](int64_t first, int64_t n) {
                 const LineGroup group(all, first, n);
                 group.write(group.transformed(from), numbers);
               });
  for (size_t d = 1; d < all.dimensions.size(); ++d) {
    transform_outer(all, all.dimensions[d], numbers);
  }
  write_all(all, numbers, to);
}

bool has_parts_of_f32(ElementType type) {
  return type == ElementType::kF32 || type == ElementType::kC64;
}

/// Whether nothing is cut off, and nothing but a half spectrum is completed,
/// which is that of lines.
bool has_its_lengths(const Instruction& fft) {
  const std::string& type = fft.get<Word>("fft_type").value;
  const Ints& lengths = fft.get<Ints>("fft_length");
  Ints given = lengths;
  if (type == "IRFFT") given.back() = given.back() / 2 + 1;
  const auto dims_of = [&](const Shape& shape) {
    return Ints(shape.dims.end() - std::ssize(lengths), shape.dims.end());
  };
  Ints wanted = dims_of(fft.shape);
  if (wanted.back() > lengths.back()) return false;
  wanted.back() = lengths.back();
  return dims_of(fft.operand_shape(0)) == given && wanted == lengths &&
         (type != "IRFFT" || lengths.size() == 1);
}

}  // namespace

std::optional<Routine> fft_routine(const Instruction& fft) {
  if (!has_parts_of_f32(fft.operand_shape(0).element_type) ||
      !has_parts_of_f32(fft.shape.element_type) || !has_its_lengths(fft)) {
    return std::nullopt;
  }
  return Routine{[all = LineTransforms(fft)](auto operands, auto results) {
    const auto* const from = reinterpret_cast<const float*>(operands[0]);
    auto* const to = reinterpret_cast<float*>(results[0]);
    all.dimensions.size() == 1 ? transform_last(all, from, to)
                               : transform_all(all, from, to);
  }};
}

}  // namespace hlo::cpu
