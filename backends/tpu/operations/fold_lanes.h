#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "interpreter/plans/region/region.h"

namespace hlo::tpu {

/// What folds lanes: accumulators of some lanes, which take a term each step.
class FoldLanes {
 public:
  virtual ~FoldLanes() = default;
  /// Registers that begin with `lanes` lanes of the initial values, a scalar
  /// each.
  virtual void start(const std::vector<Register>& initial, int64_t lanes) = 0;
  /// Registers that begin with these lanes, all of them.
  virtual void begin(std::vector<Register> initial) = 0;
  /// Registers of terms, in the types that the computation takes, which add()
  /// is about.
  virtual void take(std::vector<Register> terms) = 0;
  /// The term of lane i is lane first + i of these; where that is not valid it
  /// has none.
  virtual void add(int64_t first) = 0;
  /// What came out.
  virtual std::vector<Register> results() = 0;
};

/// By a computation, step by step.
class RegionLanes final : public FoldLanes {
 public:
  RegionLanes(Machine& machine, const Region& region);

  void start(const std::vector<Register>& initial, int64_t lanes) override;
  void begin(std::vector<Register> initial) override;
  void take(std::vector<Register> terms) override;
  void add(int64_t first) override;
  std::vector<Register> results() override;

 private:
  void add_some(int64_t first, const std::vector<int64_t>& lanes);
  void run(int64_t lanes, const std::vector<const std::byte*>& terms,
           std::vector<Register>& joined);

  Machine& machine_;
  const Region& region_;
  Region::Scratch scratch_;
  bool is_typed_;  // what it returns it takes again as it is
  int64_t lanes_ = 0;
  std::vector<Register> joined_;
  std::vector<Register> terms_;
};

/// By additions of floats or complex numbers, in f64 with a second number for
/// what roundings lose, rounded once at the end.
class SumLanes final : public FoldLanes {
 public:
  /// Sums of numbers of that type.
  SumLanes(Machine& machine, ElementType type);

  void start(const std::vector<Register>& initial, int64_t lanes) override;
  void begin(std::vector<Register> initial) override;
  void take(std::vector<Register> terms) override;
  void add(int64_t first) override;
  std::vector<Register> results() override;

 private:
  Machine& machine_;
  ElementType type_;
  ElementType wide_;  // f64 or c128
  int64_t parts_;     // of a number
  int64_t lanes_ = 0;
  std::optional<Register> sums_;
  std::optional<Register> lost_;
  std::optional<Register> terms_;
};

}  // namespace hlo::tpu
