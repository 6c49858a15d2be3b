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

/// Lines at 1/1024, 1/2, 1, 2, 4, 16, ... units in the last place.
std::string axis(int64_t bottom, int64_t width) {
  std::string text;
  for (const int power : {0, 9, 10, 11, 12, 14, 16, 20, 30}) {
    const int64_t y = bottom - height_of(int64_t{1} << power);
    text += fmt::format(
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#ccc\"/>\n",
        kMargin, y, kMargin + width, y);
    const std::string label = power == 0   ? "1/1024"
                              : power == 9 ? "1/2"
                                           : std::to_string(1 << (power - 10));
    text += words(kMargin - 6, y + 4, label, "end");
  }
  return text;
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
    const int64_t x = sign == 0 ? kMargin + kWidth + kGap / 2 + from
                                : kMargin + kWidth - kGap / 2 - from - width;
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
      const int64_t x = sign == 0 ? kMargin + kWidth + kGap / 2 + at
                                  : kMargin + kWidth - kGap / 2 - at;
      text += words(x, y, number(code | bit, type), "middle");
    }
  }
  return text;
}

/// How many errors there are of each size, in percent.
std::string histogram(const SweepTally& total, int64_t bottom) {
  constexpr int64_t kColumn = 7;
  const int64_t most =
      *std::max_element(total.histogram.begin(), total.histogram.end());
  std::string text;
  int64_t x = kMargin;
  for (size_t i = 0; i < kSweepBuckets; ++i, x += kColumn) {
    const int64_t count = total.histogram.at(i);
    if (count == 0) continue;
    const int64_t scale = most / kHeight + 1;
    const int64_t height = std::max<int64_t>(1, count / scale);
    const auto begin = static_cast<uint64_t>(bucket_begin(i));
    text += rectangle(x, bottom - height, kColumn - 1, height,
                      fmt::format("from {} ulp: {}", ulps(begin), count));
  }
  for (const int bucket : {0, 16, 32, 64, 96, kFineBuckets}) {
    const auto begin =
        static_cast<uint64_t>(bucket_begin(static_cast<size_t>(bucket)));
    text +=
        words(kMargin + kColumn * bucket, bottom + 16, ulps(begin), "middle");
  }
  return text;
}

}  // namespace

std::string draw_sweep(const SweepResult& result, const SweepPlan& plan) {
  const SweepTally& total = result.total;
  constexpr int64_t kWhole = 2 * kWidth;
  const bool has_axis =
      result.operation.arity == 1 && is_float(result.operation.type);
  std::string body =
      words(kMargin, 24,
            fmt::format("{} of {}: errors in units in the last place",
                        result.operation.op->name, name(result.operation.type)),
            "start");
  int64_t bottom = 40 + kHeight;
  if (has_axis) {
    body += axis(bottom, kWhole);
    for (const size_t sign : {size_t{0}, size_t{1}}) {
      body +=
          "<g fill=\"#36c\">\n" + side(result, plan, sign, bottom) + "</g>\n";
    }
    body += operand_labels(result, plan, bottom + 16);
    bottom += kHeight + 2 * kGap;
  }
  body += "<g fill=\"#c63\">\n" + histogram(total, bottom) + "</g>\n";
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{}</svg>\n",
      kWhole + 2 * kMargin, bottom + kGap, body);
}

}  // namespace hlo::conformance
