#include "conformance/sweep/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/levels/level.h"
#include "conformance/literals/describe_scalar.h"
#include "conformance/sweep/error_units.h"
#include "interpreter/counted.h"

namespace hlo::conformance {
namespace {

std::string describe_code(const SweepResult& result, const SweepCode& code) {
  return describe(Scalar{.type = result.operation.type, .bits = code});
}

std::string describe_operands(const SweepResult& result,
                              const SweepOperands& operands) {
  std::string text = describe_code(result, operands[0]);
  if (result.operation.arity == 2) {
    text += " and " + describe_code(result, operands[1]);
  }
  return text;
}

/// count of all in percent, rounded down to the given hundredth.
std::string share(int64_t count, int64_t all) {
  if (all == 0) return "0";
  constexpr int64_t kParts = 10000;  // 2^33 elements at most
  const int64_t parts = count / all * kParts + count % all * kParts / all;
  return fmt::format("{}.{:02} %", parts / 100, parts % 100);
}

/// The mean of the errors, rounded down.
std::string mean(const SweepTally& tally) {
  const auto measured = static_cast<uint64_t>(tally.measured);
  return ulps(tally.sum / measured);
}

std::string bucket_text(size_t bucket) {
  if (bucket + 1 >= kSweepBuckets) {
    return ulps(static_cast<uint64_t>(bucket_begin(bucket))) + " or more";
  }
  return "below " + ulps(static_cast<uint64_t>(bucket_begin(bucket + 1)));
}

std::string_view part_text(const SweepResult& result, const SweepWorst& worst) {
  if (!is_complex(result.operation.type)) return "";
  return worst.part == 0 ? " of the real part" : " of the imaginary part";
}

std::string errors(const SweepResult& result) {
  const SweepTally& total = result.total;
  std::string text = fmt::format(
      "errors of {} in units in the last place of the exact value\n",
      counted(total.measured,
              is_complex(result.operation.type) ? "part" : "number"));
  if (total.measured == 0) return text;
  text +=
      fmt::format("  largest  {}\n  mean     {}\n",
                  ulps(static_cast<uint64_t>(total.worst.units)), mean(total));
  for (const int percent : {50, 90, 99}) {
    text += fmt::format("  {} %     {}\n", percent,
                        bucket_text(percentile(total, percent)));
  }
  text += "worst operands\n";
  for (const SweepWorst& worst : result.worst) {
    text += fmt::format("  {:>8}{}  at {}: {}, correctly rounded {}\n",
                        ulps(static_cast<uint64_t>(worst.units)),
                        part_text(result, worst),
                        describe_operands(result, worst.operands),
                        describe_code(result, worst.actual),
                        describe_code(result, worst.reference));
  }
  return text;
}

/// The histogram, by eighths of a unit in the last place where it is fine.
std::string bars(const SweepTally& total) {
  constexpr size_t kFine = 4;
  constexpr int64_t kWidth = 40;
  std::string text = total.measured > 0 ? "histogram\n" : "";
  for (size_t begin = 0; begin < kSweepBuckets;) {
    const size_t end = begin < size_t{kFineBuckets} ? begin + kFine : begin + 1;
    int64_t count = 0;
    for (size_t i = begin; i < end; ++i) count += total.histogram.at(i);
    if (count > 0) {
      const auto bar = static_cast<size_t>(1 + (kWidth - 1) * (count / 1024) /
                                                   (total.measured / 1024 + 1));
      text +=
          fmt::format("  from {:>7}  {:>11} {:>9}  {}\n",
                      ulps(static_cast<uint64_t>(bucket_begin(begin))), count,
                      share(count, total.measured), std::string(bar, '#'));
    }
    begin = end;
  }
  return text;
}

std::string faults(const SweepResult& result) {
  std::string text;
  const SweepTally& total = result.total;
  for (size_t i = 0; i < kSweepFaults; ++i) {
    const auto fault = static_cast<SweepFault>(i);
    const SweepCount& count = total.fault(fault);
    if (count.count == 0) continue;
    text +=
        fmt::format("  {:>11}  {}, first at {}\n", count.count, describe(fault),
                    describe_operands(result, count.first));
  }
  return text.empty() ? "" : "faults\n" + text;
}

std::string level(const SweepResult& result, size_t axes) {
  const auto rank = strictest(result.total, axes);
  std::string text = rank ? all_levels()[*rank].name : "none";
  const size_t failed = rank.value_or(all_levels().size());
  if (failed > 0) {
    const SweepCount& count = result.total.levels.at(axes).at(failed - 1);
    text +=
        fmt::format(" ({} fails first at {})", all_levels()[failed - 1].name,
                    describe_operands(result, count.first));
  }
  return text;
}

}  // namespace

std::string ulps(uint64_t units) {
  constexpr uint64_t kThousand = 1000;
  const auto per = static_cast<uint64_t>(kUnitsPerUlp);
  return fmt::format("{}.{:03}", units / per, units % per * kThousand / per);
}

std::string report(const SweepResult& result) {
  const SweepTally& total = result.total;
  std::string text = fmt::format(
      "{} of {} on {}\n{} of {} have the correctly rounded bits ({})\n",
      result.operation.op->name, name(result.operation.type), result.backend,
      total.same, counted(total.elements, "result"),
      share(total.same, total.elements));
  if (is_float(result.operation.type) || is_complex(result.operation.type)) {
    text += errors(result) + bars(total);
  }
  text += faults(result);
  text += "strictest level passed: " + level(result, 0) + "\n";
  if (strictest(total, 1) != strictest(total, 0)) {
    text +=
        "  where subnormal numbers may be flushed: " + level(result, 1) + "\n";
  }
  return text;
}

}  // namespace hlo::conformance
