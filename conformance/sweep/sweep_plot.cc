#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "conformance/literals/describe_scalar.h"
#include "conformance/sweep/error_units.h"
#include "conformance/sweep/sweep_report.h"
#include "interpreter/numeric/format/float_codes.h"

// Whole pixels from whole numbers, so that the same sweep is the same picture.
namespace hlo::conformance {
namespace {

constexpr int64_t kMargin = 60;
constexpr int64_t kWidth = 512;  // of one sign
constexpr int64_t kHeight = 240;
constexpr int64_t kGap = 40;
constexpr int64_t kWhole = 2 * kWidth + kGap;  // both signs, zero between them
constexpr int64_t kTitle = 40;  // above the plot that it belongs to

/// From no error at the bottom in steps that double, from 1/1024 on.
int64_t height_of(int64_t units) {
  constexpr int64_t kStep = kHeight / 31;
  if (units <= 0) return 0;
  const int power =
      static_cast<int>(std::bit_width(static_cast<uint64_t>(units))) - 1;
  const int64_t rest = units - (int64_t{1} << power);
  return kStep * (power + 1) + ((kStep * rest) >> power);
}

std::string rectangle(int64_t x, int64_t y, int64_t width, int64_t height,
                      std::string_view title) {
  return fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title>"
      "</rect>\n",
      x, y, width, height, title);
}

std::string words(int64_t x, int64_t y, std::string_view text,
                  std::string_view anchor) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n",
                     x, y, anchor, text);
}

std::string number(uint64_t code, ElementType type) {
  return fmt::format("{:.4g}", numeric::decode(code, numeric::format(type)));
}

std::string line(int64_t y, std::string_view colour) {
  return fmt::format(
      "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\"/>\n",
      kMargin, y, kMargin + kWhole, y, colour);
}

/// Lines at powers of two from 1/1024 unit in the last place on, as far apart
/// as their labels are high.
std::string axis(int64_t bottom) {
  constexpr int kUnit = 10;  // the power of two that is one
  std::string text;
  for (const int power : {0, 4, 7, 9, 11, 14, 17, 20, 25, 30}) {
    const int64_t y = bottom - height_of(int64_t{1} << power);
    text += line(y, power == kUnit - 1 ? "#888" : "#ddd");
    const std::string label = power < kUnit
                                  ? fmt::format("1/{}", 1 << (kUnit - power))
                                  : std::to_string(1 << (power - kUnit));
    text += words(kMargin - 6, y + 4, label, "end");
  }
  return text + line(bottom, "#888");
}

/// The largest error of each segment of one sign; - grows to the left.
std::string side(const SweepResult& result, const SweepPlan& plan, size_t sign,
                 int64_t bottom) {
  const std::vector<int64_t>& peaks = result.total.peaks.at(sign);
  const std::vector<uint64_t> starts = plan.segments(sign);
  const auto count =
      static_cast<int64_t>(std::min(peaks.size(), starts.size()));
  const ElementType type = result.operation.type;
  const uint64_t bit = sign == 0 ? 0 : numeric::format(type).sign_mask();
  const int64_t columns = std::min(count, kWidth);
  std::string text;
  for (int64_t k = 0; k < columns; ++k) {
    const auto begin = static_cast<size_t>(count * k / columns);
    const auto end = static_cast<size_t>(count * (k + 1) / columns);
    const int64_t peak =
        *std::max_element(peaks.begin() + static_cast<int64_t>(begin),
                          peaks.begin() + static_cast<int64_t>(end));
    if (peak < 0) continue;
    const int64_t from = kWidth * k / columns;
    const int64_t width = kWidth * (k + 1) / columns - from;
    const int64_t x = sign == 0 ? kMargin + kWidth + kGap + from
                                : kMargin + kWidth - from - width;
    const int64_t height = std::max<int64_t>(1, height_of(peak));
    text += rectangle(
        x, bottom - height, width, height,
        fmt::format("from {}: {} ulp", number(starts.at(begin) | bit, type),
                    ulps(static_cast<uint64_t>(peak))));
  }
  return text;
}

std::string operand_labels(const SweepResult& result, const SweepPlan& plan,
                           int64_t y) {
  constexpr int64_t kLabels = 4;
  std::string text;
  for (size_t sign = 0; sign < 2; ++sign) {
    const std::vector<uint64_t> starts = plan.segments(sign);
    const ElementType type = result.operation.type;
    const uint64_t bit = sign == 0 ? 0 : numeric::format(type).sign_mask();
    const auto count = static_cast<int64_t>(starts.size());
    for (int64_t k = 0; k < std::min(kLabels, count); ++k) {
      const uint64_t code = starts.at(static_cast<size_t>(count * k / kLabels));
      const int64_t at = kWidth * k / kLabels;
      const int64_t x =
          sign == 0 ? kMargin + kWidth + kGap + at : kMargin + kWidth - at;
      text += words(x, y, number(code | bit, type), "middle");
    }
  }
  return text;
}

/// Lines at a quarter, half, ... of the most errors that a column has.
std::string shares(const SweepTally& total, int64_t most, int64_t bottom) {
  constexpr int64_t kLines = 4;
  constexpr int64_t kTenths = 1000;  // of a percent, in all
  std::string text = line(bottom, "#888");
  for (int64_t k = 1; k <= kLines && most > 0; ++k) {
    const int64_t y = bottom - kHeight * k / kLines;
    const auto tenths = static_cast<int64_t>(
        static_cast<double>(most) * static_cast<double>(kTenths * k) /
        (static_cast<double>(total.measured) * kLines));
    text += line(y, "#ddd") +
            words(kMargin - 6, y + 4,
                  fmt::format("{}.{} %", tenths / 10, tenths % 10), "end");
  }
  return text;
}

/// The height of so many of at most `most`; what is there is seen.
int64_t height_of_count(int64_t count, int64_t most) {
  const double share = static_cast<double>(count) / static_cast<double>(most);
  return std::max<int64_t>(1, static_cast<int64_t>(share * kHeight));
}

/// How many errors there are of each size, in percent.
std::string histogram(const SweepTally& total, int64_t bottom) {
  constexpr int64_t kColumn = 7;
  const int64_t most =
      *std::max_element(total.histogram.begin(), total.histogram.end());
  std::string text = words(kMargin, bottom - kHeight - kTitle / 2,
                           "how many errors are so large, in units in the last "
                           "place",
                           "start") +
                     shares(total, most, bottom) + "<g fill=\"#c63\">\n";
  int64_t x = kMargin;
  for (size_t i = 0; i < kSweepBuckets; ++i, x += kColumn) {
    const int64_t count = total.histogram.at(i);
    if (count == 0) continue;
    const int64_t height = height_of_count(count, most);
    const auto begin = static_cast<uint64_t>(bucket_begin(i));
    text += rectangle(x, bottom - height, kColumn - 1, height,
                      fmt::format("from {} ulp: {}", ulps(begin), count));
  }
  text += "</g>\n";
  // Columns of 1/32 up to 4, then of powers of two.
  for (const int bucket : {0, 16, 32, 64, 96, kFineBuckets, kFineBuckets + 6,
                           kFineBuckets + 12, kFineBuckets + 18}) {
    const int64_t begin = bucket_begin(static_cast<size_t>(bucket));
    const std::string label = begin % kUnitsPerUlp == 0
                                  ? std::to_string(begin / kUnitsPerUlp)
                                  : ulps(static_cast<uint64_t>(begin));
    text += words(kMargin + kColumn * bucket, bottom + 16, label, "middle");
  }
  return text;
}

}  // namespace

std::string draw_sweep(const SweepResult& result, const SweepPlan& plan) {
  const SweepTally& total = result.total;
  const bool has_axis =
      result.operation.arity == 1 && is_float(result.operation.type);
  std::string body = words(kMargin, 24,
                           fmt::format("{} of {}", result.operation.op->name,
                                       name(result.operation.type)),
                           "start");
  int64_t bottom = 2 * kTitle + kHeight;
  if (has_axis) {
    body += words(kMargin, bottom - kHeight - kTitle / 2,
                  "the largest error over the operands, in units in the last "
                  "place",
                  "start") +
            axis(bottom);
    for (const size_t sign : {size_t{0}, size_t{1}}) {
      body +=
          "<g fill=\"#36c\">\n" + side(result, plan, sign, bottom) + "</g>\n";
    }
    body += operand_labels(result, plan, bottom + 16);
    bottom += kHeight + 2 * kTitle;
  }
  body += histogram(total, bottom);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{}</svg>\n",
      kWhole + 2 * kMargin, bottom + kGap, body);
}

}  // namespace hlo::conformance
