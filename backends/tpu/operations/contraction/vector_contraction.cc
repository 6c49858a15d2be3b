#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/operations/contraction/factor_reader.h"
#include "backends/tpu/operations/contraction/finished_sums.h"
#include "backends/tpu/operations/contraction/units.h"

namespace hlo::tpu {
namespace {

/// The sums of the lanes of a register, one for each pair of planes.
struct LaneSums {
  std::vector<Register> sums;
  std::vector<Register> lost;

  LaneSums(Machine& machine, const Scheme& scheme) {
    for (size_t k = 0; k < scheme.pairs.size(); ++k) {
      sums.push_back(zeros(machine, scheme));
      if (scheme.sums == Sums::kCompensated) {
        lost.push_back(zeros(machine, scheme));
      }
    }
  }

 private:
  static Register zeros(Machine& machine, const Scheme& scheme) {
    Register lanes(machine.scratch, number_type(scheme.sums));
    std::memset(lanes.bytes(), 0, static_cast<size_t>(lanes.width() * kLanes));
    return lanes;
  }
};

class VectorContraction {
 public:
  explicit VectorContraction(const Contracted& contracted)
      : c_(contracted),
        kept_(kept_registers(
            (c_.machine.scratch.size() - c_.machine.scratch.held()) / 2)),
        lhs_(c_.machine, c_.instruction, 0, c_.operands, c_.scheme, kept_),
        rhs_(c_.machine, c_.instruction, 1, c_.operands, c_.scheme, kept_),
        depth_(c_.map.extents(0).depth) {}

  void run() {
    for (int64_t r = 0; r < c_.result.registers(); ++r) {
      LaneSums lanes(c_.machine, c_.scheme);
      for (int64_t k = 0; k < depth_; k += kMostDepth) add(r, k, lanes);
      std::vector<Register*> sums;
      for (size_t k = 0; k < lanes.sums.size(); ++k) {
        if (!lanes.lost.empty()) settle(lanes.sums[k], lanes.lost[k]);
        sums.push_back(&lanes.sums[k]);
      }
      store_register(c_.machine, finished_sums(c_.machine, c_.scheme, sums),
                     c_.result, r);
    }
  }

 private:
  static constexpr int64_t kMostDepth = 32;  // of the table of positions

  using Positions = std::vector<LaneElements>;

  void add(int64_t r, int64_t first, LaneSums& lanes) {
    const int64_t depth = std::min(kMostDepth, depth_ - first);
    find_positions(r, first, depth);
    for (size_t k = 0; k < static_cast<size_t>(depth); ++k) {
      const std::vector<Register> lhs = lhs_.read(of_lhs_[k]);
      const std::vector<Register> rhs = rhs_.read(of_rhs_[k]);
      for (size_t pair = 0; pair < c_.scheme.pairs.size(); ++pair) {
        const PlanePair& planes = c_.scheme.pairs[pair];
        multiply_add(
            c_.machine, c_.scheme.sums, lhs[static_cast<size_t>(planes.lhs)],
            rhs[static_cast<size_t>(planes.rhs)], planes.is_finite,
            lanes.sums[pair], lanes.lost.empty() ? nullptr : &lanes.lost[pair]);
      }
    }
  }

  /// The factors of the terms from `first` on, of each lane.
  void find_positions(int64_t r, int64_t first, int64_t depth) {
    of_lhs_.resize(static_cast<size_t>(depth));
    of_rhs_.resize(static_cast<size_t>(depth));
    for (LaneElements& elements : of_lhs_) elements.fill(TileOrder::kPadding);
    for (LaneElements& elements : of_rhs_) elements.fill(TileOrder::kPadding);
    int64_t positions[2][kMostDepth] = {};
    for (size_t lane = 0; lane < kLanes; ++lane) {
      if (!c_.result.order->mask(r)[lane]) continue;
      const ContractionMap::Place place = c_.map.place(
          c_.result.order->element_of(r * kLanes + static_cast<int64_t>(lane)));
      const auto count = static_cast<size_t>(depth);
      c_.map.lhs(place.product, place.row, first, {positions[0], count});
      c_.map.rhs(place.product, place.column, first, {positions[1], count});
      for (size_t k = 0; k < count; ++k) {
        of_lhs_[k][lane] = positions[0][k];
        of_rhs_[k][lane] = positions[1][k];
      }
    }
  }

  const Contracted& c_;
  int64_t kept_;
  FactorReader lhs_;
  FactorReader rhs_;
  int64_t depth_;
  Positions of_lhs_;  // by depth
  Positions of_rhs_;
};

}  // namespace

void contract_on_vector_unit(const Contracted& contracted) {
  VectorContraction(contracted).run();
}

}  // namespace hlo::tpu
