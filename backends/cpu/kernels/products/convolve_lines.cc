#include "backends/cpu/kernels/products/convolve_lines.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <vector>

#include "backends/cpu/kernels/products/finite_numbers.h"
#include "backends/cpu/kernels/products/packed_columns.h"
#include "backends/cpu/kernels/products/panels.h"
#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kLeastPlaces = 6;       // of a line
constexpr int64_t kMostPlaces = 224;      // of a line in a task
constexpr int64_t kLeastDepth = 16;       // of a tap that lies apart
constexpr int64_t kCopied = 64 << 10;     // floats of lines, a part of L2
constexpr int64_t kMostCopied = 1 << 20;  // floats of lines for one place
constexpr int64_t kPacked = 1 << 20;      // floats of weights at once
constexpr int64_t kInCache = 128 << 10;   // floats of weights that L2 keeps
constexpr int64_t kPackedLines = 16;      // in a task
constexpr int64_t kTasks = 8;             // that threads share evenly

int64_t units(int64_t n, int64_t unit) { return (n + unit - 1) / unit; }

/// Whether the numbers of a line are such that no sum of them overflows.
bool is_usual(const WindowLine& line) {
  constexpr int64_t kMost = 1 << 20;
  const auto is_small = [](int64_t number) { return std::abs(number) < kMost; };
  return line.window > 0 && is_small(line.window) && is_small(line.output) &&
         is_small(line.stride) && is_small(line.low) &&
         is_small(line.window_dilation) && is_small(line.base_dilation);
}

/// Some places of a line.
struct Places {
  int64_t first, last;
};

/// The element that a tap reads at a place, if there is one.
int64_t element(const WindowLine& line, int64_t place, int64_t tap) {
  return place * line.stride - line.low + tap * line.window_dilation;
}

/// How many of some places read before the first element by a tap, or as a
/// negative number behind the last one.
int64_t outside(const WindowLine& line, const Places& places, int64_t tap) {
  const int64_t before = -element(line, places.first, tap);
  const int64_t behind = element(line, places.last - 1, tap) - line.input + 1;
  return before > 0   ? units(before, line.stride)
         : behind > 0 ? -units(behind, line.stride)
                      : 0;
}

/// Whether tiles may leave out the places that read outside of a line: few ones
/// of each tap, and only at one end.
bool can_leave_out(const WindowLine& line) {
  constexpr int64_t kMostTaps = 64;
  if (line.base_dilation != 1 || line.window > kMostTaps) return false;
  for (int64_t tap = 0; tap < line.window; ++tap) {
    const int64_t out = outside(line, {0, line.output}, tap);
    const bool at_both =
        out > 0 && element(line, line.output - 1, tap) >= line.input;
    if (at_both || std::abs(out) > kMostLeftOut) return false;
  }
  return true;
}

/// How tiles read the lines of an input.
struct Reading {
  bool copies;      // with zeros where no element is
  bool leaves_out;  // the places that read outside of a line
  int64_t pitch;    // floats from one element of a line to the next
  bool has_runs;    // whether the taps of a line lie one behind the other
};

Reading reading_of(const WindowLine& line, int64_t inputs) {
  // Rows that lie so many floats apart meet in one set of L1.
  constexpr int64_t kSameSet = 1024;
  constexpr int64_t kApart = 16;
  const auto meets = [&](int64_t pitch) {
    return line.stride * pitch % kSameSet == 0;
  };
  const bool reaches = line.reaches_outside();
  const bool leaves_out = reaches && inputs >= kLeastDepth &&
                          !meets(line.step) && can_leave_out(line);
  const bool copies = !leaves_out && (reaches || meets(line.step));
  const int64_t copied = inputs + (meets(inputs) ? kApart : 0);
  const int64_t pitch = copies ? copied : line.step;
  return {copies, leaves_out, pitch,
          line.window == 1 || (line.window_dilation == 1 && pitch == inputs)};
}

/// Some features of a group.
struct Features {
  int64_t first;
  int64_t count;
};

/// What a task computes: some lines of places, a section of each, and panels of
/// features.
struct Part {
  int64_t line, lines_end;
  Places places;
  int64_t panel, panels_end;

  int64_t count() const { return places.last - places.first; }
};

/// Where lines of the input begin that tasks read, or null: one for each line
/// of places and outer tap.
using Lines = std::vector<const float*>;

class LineConvolution {
 public:
  explicit LineConvolution(const Convolution& c)
      : c_(c),
        line_(c.windows.last_line()),
        reading_(reading_of(line_, c.inputs)),
        outer_taps_(c.windows.taps() / line_.window),
        outer_places_(c.windows.places() / line_.output) {}

  bool fits() const {
    // Rows of one tap follow each other from line to line.
    const bool is_long =
        c_.windows.taps() > 1 || line_.output >= panel_size().rows;
    return is_long && depth() > 0 &&
           depth() <= kPacked / panel_size().columns &&
           (reading_.has_runs || c_.inputs >= kLeastDepth) &&
           (!reading_.copies || line_floats() * outer_taps_ <= kMostCopied);
  }

  /// Whether all products with zeros of the padding are none of NaN; else some
  /// features are not written.
  bool run(float* result) const {
    const int64_t some = kPacked / depth() / panel_size().columns;
    const int64_t together = some * panel_size().columns;
    for (int64_t g = 0; g < c_.groups; ++g) {
      const int64_t end = (g + 1) * c_.outputs;
      for (int64_t f = g * c_.outputs; f < end; f += together) {
        if (!run(g, {f, std::min(together, end - f)}, result)) return false;
      }
    }
    return true;
  }

 private:
  int64_t depth() const { return c_.windows.taps() * c_.inputs; }

  int64_t features() const { return c_.groups * c_.outputs; }

  /// Elements of a line that so many places read.
  int64_t elements(int64_t places) const {
    return (places - 1) * line_.stride +
           (line_.window - 1) * line_.window_dilation + 1;
  }

  /// How many floats the longest copy of a line has.
  int64_t line_floats() const {
    return elements(std::min(line_.output, kMostPlaces)) * reading_.pitch;
  }

  /// Calls body(0) ... body(count - 1), by threads where there is enough to do.
  template <typename Body>
  void each(int64_t count, const Body& body) const {
    constexpr int64_t kShared = 1 << 18;  // products that are worth a thread
    const int64_t rows = c_.batches * c_.windows.places();
    if (rows * c_.outputs * depth() > kShared) return share_loop(count, body);
    for (int64_t i = 0; i < count; ++i) body(i);
  }

  bool run(int64_t group, const Features& f, float* result) const {
    PackedColumns packed{depth(), units(f.count, panel_size().columns),
                         panel_size().columns, nullptr};
    packed.floats = reinterpret_cast<float*>(scratch_bytes(
        Scratch::kRight, sizeof(float) * static_cast<size_t>(packed.count())));
    if (!pack(f, packed)) return false;
    const int64_t lines = c_.batches * outer_places_;
    const Part all{0, lines, {0, line_.output}, 0, packed.panels};
    const bool at_once =
        reading_.copies && line_.output <= kMostPlaces && lines <= most_lines();
    const Lines shared = at_once ? lines_of(all, group) : Lines();
    share(packed, [&](const Part& part) {
      if (at_once) {
        const auto* own = shared.data() + part.line * outer_taps_;
        multiply(part, own, f, packed, result);
      } else {
        multiply(part, lines_of(part, group).data(), f, packed, result);
      }
    });
    return true;
  }

  /// Whether all packed weights may be multiplied by zeros that stand for what
  /// lies outside of a line.
  bool pack(const Features& f, const PackedColumns& packed) const {
    const Matrix weights = c_.kernel.columns_from(f.first);
    std::atomic<bool> finite{true};
    each(units(packed.depth, kPackedLines), [&](int64_t i) {
      const int64_t first = i * kPackedLines;
      const int64_t last = std::min(first + kPackedLines, packed.depth);
      pack_lines(weights, f.count, first, last, packed);
      for (int64_t p = 0; reading_.copies && p < packed.panels; ++p) {
        const int64_t count = (last - first) * packed.width;
        if (!are_finite(packed.line(first, p), count)) finite = false;
      }
    });
    return finite;
  }

  /// Calls body(part) for all parts. Those of few weights have all panels, but
  /// where there are few lines; others few panels, which stay in L2 meanwhile.
  template <typename Body>
  void share(const PackedColumns& packed, const Body& body) const {
    const int64_t lines = c_.batches * outer_places_;
    const int64_t sections = units(line_.output, kMostPlaces);
    const bool heavy = packed.count() > kInCache;
    const int64_t least = heavy ? std::min(packed.panels, kTasks) : 1;
    const int64_t some = std::clamp<int64_t>(
        units(lines * sections * least, kTasks), 1, most_lines());
    const int64_t chunks = units(lines, some) * sections;
    const int64_t shares =
        std::clamp(units(kTasks, chunks), least, packed.panels);
    each(chunks * shares, [&](int64_t i) {
      const int64_t line = i / shares / sections * some;
      const int64_t place = i / shares % sections * kMostPlaces;
      const int64_t share = i % shares;
      body(Part{line,
                std::min(lines, line + some),
                {place, std::min(line_.output, place + kMostPlaces)},
                share * packed.panels / shares,
                (share + 1) * packed.panels / shares});
    });
  }

  /// Lines that a task lists, or of whose copies L2 has room.
  int64_t most_lines() const {
    constexpr int64_t kListed = 1024;
    if (!reading_.copies) return kListed;
    return std::max<int64_t>(1, kCopied / line_floats() - outer_taps_ + 1);
  }

  void multiply(const Part& part, const float* const* lines, const Features& f,
                const PackedColumns& packed, float* result) const {
    const int64_t tiles = units(part.count(), panel_size().rows);
    std::vector<Factors> factors;
    for (int64_t p = part.panel; p < part.panels_end; ++p) {
      const int64_t column = p * packed.width;
      for (int64_t l = part.line; l < part.lines_end; ++l) {
        const auto* taps = lines + (l - part.line) * outer_taps_;
        for (int64_t t = 0; t < tiles; ++t) {
          const Places places{
              part.places.first + t * part.count() / tiles,
              part.places.first + (t + 1) * part.count() / tiles};
          const int64_t depth = set_factors(taps, first_element(part), places,
                                            packed, p, factors);
          const int64_t row = l * line_.output + places.first;
          multiply_panels({factors, line_.stride * reading_.pitch, packed.width,
                           depth, reading_.leaves_out, false,
                           result + row * features() + f.first + column,
                           features(), places.last - places.first,
                           std::min(packed.width, f.count - column)});
        }
      }
    }
  }

  /// That at which lines begin as they are read.
  int64_t first_element(const Part& part) const {
    return reading_.copies ? element(line_, part.places.first, 0) : 0;
  }

  /// The taps inside the input of some places; returns how deep each part is.
  int64_t set_factors(const float* const* lines, int64_t first_element,
                      const Places& places, const PackedColumns& packed,
                      int64_t panel, std::vector<Factors>& factors) const {
    const bool is_inside =
        !reading_.leaves_out || (outside(line_, places, 0) == 0 &&
                                 outside(line_, places, line_.window - 1) == 0);
    const int64_t parts = reading_.has_runs && is_inside ? 1 : line_.window;
    const int64_t depth = line_.window / parts * c_.inputs;
    factors.clear();
    for (int64_t t = 0; t < outer_taps_; ++t) {
      for (int64_t w = 0; lines[t] != nullptr && w < parts; ++w) {
        const int64_t out = is_inside ? 0 : outside(line_, places, w);
        const int64_t from =
            element(line_, places.first + std::max<int64_t>(out, 0), w);
        factors.push_back({lines[t] + (from - first_element) * reading_.pitch,
                           packed.line((t * parts + w) * depth, panel), out});
      }
    }
    return depth;
  }

  /// For each line and outer tap where what the section's places read begins;
  /// null outside of the input.
  Lines lines_of(const Part& part, int64_t group) const {
    const float* const input = c_.input + group * c_.inputs;
    const std::vector<int64_t> offsets = line_offsets(part);
    Lines lines(offsets.size());
    if (!reading_.copies) {
      std::ranges::transform(offsets, lines.begin(), [&](int64_t offset) {
        return offset < 0 ? nullptr : input + offset;
      });
      return lines;
    }
    std::vector<int64_t> distinct = offsets;
    std::ranges::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()),
                   distinct.end());
    const int64_t floats = elements(part.count()) * reading_.pitch;
    auto* const copies = reinterpret_cast<float*>(scratch_bytes(
        Scratch::kLeft,
        sizeof(float) * distinct.size() * static_cast<size_t>(floats)));
    const auto copy_of = [&](int64_t offset) {
      return copies + floats * (std::ranges::lower_bound(distinct, offset) -
                                distinct.begin());
    };
    for (const int64_t offset : distinct) {
      if (offset >= 0) {
        copy_line(input + offset, first_element(part), elements(part.count()),
                  copy_of(offset));
      }
    }
    std::ranges::transform(offsets, lines.begin(), [&](int64_t offset) {
      return offset < 0 ? nullptr : copy_of(offset);
    });
    return lines;
  }

  /// For each line and outer tap where its input line lies in memory, or -1.
  std::vector<int64_t> line_offsets(const Part& part) const {
    std::vector<int64_t> offsets;
    std::vector<int64_t> own(static_cast<size_t>(outer_taps_));
    for (int64_t l = part.line; l < part.lines_end; ++l) {
      c_.windows.outer_offsets(l % outer_places_, own);
      const int64_t base = l / outer_places_ * c_.batch_step;
      for (const int64_t offset : own) {
        offsets.push_back(offset < 0 ? -1 : base + offset);
      }
    }
    return offsets;
  }

  /// Elements first ... of a line, zeros where there is none.
  void copy_line(const float* from, int64_t first, int64_t count,
                 float* to) const {
    if (line_.base_dilation == 1 && line_.step == reading_.pitch) {
      const int64_t begin = std::clamp<int64_t>(-first, 0, count);
      const int64_t end = std::clamp(line_.input - first, begin, count);
      to = std::fill_n(to, begin * line_.step, 0.0F);
      if (begin < end) {
        // Behind the last element's channels the input may end.
        std::copy_n(from + (first + begin) * line_.step,
                    (end - begin - 1) * line_.step + c_.inputs, to);
        to += (end - begin) * line_.step;
      }
      std::fill_n(to, (count - end) * line_.step, 0.0F);
      return;
    }
    for (int64_t at = first; at < first + count; ++at, to += reading_.pitch) {
      const int64_t element = at / line_.base_dilation;
      if (at >= 0 && at % line_.base_dilation == 0 && element < line_.input) {
        std::copy_n(from + element * line_.step, c_.inputs, to);
      } else {
        std::fill_n(to, c_.inputs, 0.0F);
      }
    }
  }

  const Convolution& c_;
  WindowLine line_;
  Reading reading_;
  int64_t outer_taps_;
  int64_t outer_places_;
};

}  // namespace

bool convolve_lines(const Convolution& c, float* result) {
  const WindowLine line = c.windows.last_line();
  if (line.output < kLeastPlaces || !is_usual(line)) return false;
  const LineConvolution own(c);
  return own.fits() && own.run(result);
}

}  // namespace hlo::cpu
