#include "conformance/fingerprint/sum_fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

bool differ(double a, double b) {
  return std::bit_cast<uint64_t>(a) != std::bit_cast<uint64_t>(b) &&
         !(std::isnan(a) && std::isnan(b));
}

/// The refutation without the terms in [first, first + size).
Refutation without(const Refutation& from, size_t first, size_t size) {
  Refutation left = from;
  const size_t end = std::min(first + size, left.a.size());
  for (size_t i = first; i < end; ++i) left.a[i] = left.b[i] = 0;
  return left;
}

/// Fewer terms that refute the model too: of the ranges of some size the first
/// one that can go, again and again.
Refutation shrunk(SumMachine& machine, const UnitModel& model,
                  Refutation found) {
  UnitSimulator simulator(model);
  const size_t terms = found.a.size();
  for (size_t size = (terms + 1) / 2; size > 0; size /= 2) {
    for (size_t first = 0; first < terms;) {
      SumRows rows{.terms = static_cast<int64_t>(terms), .a = {}, .b = {}};
      std::vector<Refutation> tried;
      for (size_t at = first; at < terms; at += size) {
        tried.push_back(without(found, at, size));
        rows.add(tried.back().a, tried.back().b);
      }
      const std::vector<double> sums = machine.sums(rows);
      size_t next = terms;
      for (size_t i = 0; i < tried.size() && next == terms; ++i) {
        Refutation& one = tried[i];
        if (one.a == found.a) continue;
        one.machine = sums[i];
        one.model = simulator.sum(one.a, one.b);
        if (!differ(one.machine, one.model)) continue;
        found = one;
        next = first + (i + 1) * size;
      }
      first = next;
    }
  }
  return found;
}

/// The model beside the machine with the operands in another arrangement.
ArrangedReplay arranged_replay(const SumFingerprint& sum,
                               Arrangement arrangement, const MakeMachine& make,
                               const FingerprintEffort& effort) {
  constexpr int64_t kMostSums = 2048;
  SummedOperation operation = sum.operation;
  operation.arrangement = arrangement;
  ArrangedReplay replayed{.arrangement = arrangement, .result = {}};
  const bool has_no_signs = sum.explained == Explained::kButZeros;
  try {
    SumMachine machine(operation, make, effort.most);
    std::vector<DrawnSums> drawn;
    const int64_t sums = std::min(effort.sums, kMostSums);
    for (int64_t call = 0; call * operation.cells() < sums; ++call) {
      SumRows rows = drawn_rows(operation, static_cast<uint64_t>(call));
      std::vector<double> cells = machine.cells(rows);
      drawn.push_back({std::move(rows), std::move(cells)});
    }
    replayed.result = replay(*sum.found.model, operation, drawn, /*most=*/sums,
                             has_no_signs ? Zeros::kAlike : Zeros::kSigned);
  } catch (const Error& error) {
    if (error.rule() != "fingerprint.unsupported") throw;
    replayed.is_supported = false;
  }
  return replayed;
}

void explain(SumMachine& machine, const FingerprintEffort& effort,
             SumFingerprint& sum) {
  sum.steadiness = observe_steadiness(machine, effort.repeats);
  if (!sum.steadiness.in_time) {
    sum.message = "the same call gives other bits at another time";
    return;
  }
  if (!sum.steadiness.in_place) {
    sum.message = "the same terms give other bits in another place";
    return;
  }
  sum.order = find_order(machine, effort.probes);
  if (!sum.order.tree) {
    sum.message = "masks show no order: " + sum.order.why_not;
    return;
  }
  sum.seen = observe_unit(machine, *sum.order.tree);
  const std::vector<UnitModel> models =
      candidates(sum.operation, *sum.order.tree, sum.seen);
  sum.found = find_model(machine, models, effort.sums, Zeros::kSigned);
  if (sum.found.model) {
    sum.explained = Explained::kYes;
    return;
  }
  FoundModel others = find_model(machine, models, effort.sums, Zeros::kAlike);
  if (others.model) {
    const Refutation& first = *sum.found.result.first;
    others.result.first = shrunk(machine, sum.found.closest, first);
    sum.found = std::move(others);
    sum.explained = Explained::kButZeros;
    sum.message = "the signs of some zeros are not those of the model";
    return;
  }
  sum.message = fmt::format("none of {} models gives the bits of all sums",
                            models.size());
  if (models.empty()) {
    sum.message = "no rounding gives the bits of the probes";
  }
  if (auto& first = sum.found.result.first) {
    first = shrunk(machine, sum.found.closest, *first);
  }
}

/// How the machine sums in an arrangement for which the model of rows does not
/// hold.
SumFingerprint explained_apart(const SumFingerprint& sum,
                               Arrangement arrangement, const MakeMachine& make,
                               FingerprintEffort effort) {
  constexpr int64_t kMostSums = 4096;
  effort.sums = std::min(effort.sums, kMostSums);
  SumFingerprint apart;
  apart.operation = sum.operation;
  apart.operation.arrangement = arrangement;
  SumMachine machine(apart.operation, make, effort.most);
  explain(machine, effort, apart);
  return apart;
}

/// The replay refutes the model, which explains nothing then.
void refute(const ArrangedReplay& replayed, SumFingerprint& sum) {
  sum.explained = Explained::kNo;
  sum.message = fmt::format(
      "the model gives all sums of rows, but of {} only {} of {}",
      name(replayed.arrangement), replayed.result.equal, replayed.result.sums);
  sum.found.closest = *std::move(sum.found.model);
  sum.found.model.reset();
  sum.found.result = replayed.result;
}

/// A model that holds for one arrangement of the operands only explains
/// nothing, unless others are explained by models of their own.
void rearrange(const MakeMachine& make, const FingerprintEffort& effort,
               SumFingerprint& sum) {
  if (!sum.found.model) return;
  for (const Arrangement arrangement :
       {Arrangement::kTransposed, Arrangement::kColumnMajor}) {
    sum.arranged.push_back(arranged_replay(sum, arrangement, make, effort));
  }
  const Explained rows = sum.explained;
  for (ArrangedReplay& one : sum.arranged) {
    if (!one.result.first) continue;
    SumFingerprint apart = explained_apart(sum, one.arrangement, make, effort);
    if (!apart.found.model) return refute(one, sum);
    one.own = std::move(apart.found);
    sum.explained = std::max(sum.explained, apart.explained);
    if (rows == Explained::kYes) sum.message = apart.message;
  }
}

}  // namespace

std::string_view name(Explained explained) {
  switch (explained) {
    case Explained::kYes:
      return "explained";
    case Explained::kButZeros:
      return "explained but for signs of zeros";
    case Explained::kNo:
      return "not explained";
    case Explained::kUnsupported:
      return "unsupported";
    case Explained::kFailed:
      break;
  }
  return "failed";
}

SumFingerprint sum_fingerprint(const SummedOperation& operation,
                               const MakeMachine& make,
                               const FingerprintEffort& effort) {
  SumFingerprint sum;
  sum.operation = operation;
  try {
    SumMachine machine(sum.operation, make, effort.most);
    explain(machine, effort, sum);
    rearrange(make, effort, sum);
    sum.calls = machine.calls();
  } catch (const Error& error) {
    const bool unsupported = error.rule() == "fingerprint.unsupported";
    if (!unsupported && error.rule() != "fingerprint.backend") throw;
    sum.explained = unsupported ? Explained::kUnsupported : Explained::kFailed;
    sum.message = error.what();
  }
  return sum;
}

Explained OperationFingerprint::explained() const {
  Explained worst = Explained::kYes;
  for (const SumFingerprint& sum : sums) {
    worst = std::max(worst, sum.explained);
  }
  return worst;
}

}  // namespace hlo::conformance
