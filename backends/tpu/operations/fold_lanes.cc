#include "backends/tpu/operations/fold_lanes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "backends/tpu/operations/lane_source.h"

namespace hlo::tpu {
namespace {

/// The register's first lane in all of the first ones.
Register repeated(Machine& machine, const Register& scalar, ElementType type,
                  int64_t lanes) {
  Register all = converted_lanes(machine, scalar, type);
  for (int64_t k = 1; k < lanes; ++k) {
    std::memcpy(all.lane(k), all.lane(0), static_cast<size_t>(all.width()));
  }
  return all;
}

void move_lane(const Register& from, int64_t source, Register& to,
               int64_t target) {
  std::memcpy(to.lane(target), from.lane(source),
              static_cast<size_t>(to.width()));
}

}  // namespace

RegionLanes::RegionLanes(Machine& machine, const Region& region)
    : machine_(machine),
      region_(region),
      scratch_(region, kLanes),
      is_typed_(std::equal(region.outputs().begin(), region.outputs().end(),
                           region.inputs().begin())) {}

void RegionLanes::start(const std::vector<Register>& initial, int64_t lanes) {
  lanes_ = lanes;
  joined_.clear();
  for (size_t k = 0; k < initial.size(); ++k) {
    joined_.push_back(
        repeated(machine_, initial[k], region_.inputs()[k], lanes));
  }
}

void RegionLanes::begin(std::vector<Register> initial) {
  lanes_ = kLanes;
  joined_ = std::move(initial);
}

void RegionLanes::take(std::vector<Register> terms) {
  terms_ = std::move(terms);
}

void RegionLanes::run(int64_t lanes, const std::vector<const std::byte*>& terms,
                      std::vector<Register>& joined) {
  std::vector<Register> results;
  std::vector<const std::byte*> inputs;
  std::vector<std::byte*> outputs;
  for (size_t k = 0; k < joined.size(); ++k) {
    inputs.push_back(joined[k].bytes());
    if (!is_typed_) {
      results.emplace_back(machine_.scratch, region_.outputs()[k]);
    }
    outputs.push_back((is_typed_ ? joined : results)[k].bytes());
  }
  inputs.insert(inputs.end(), terms.begin(), terms.end());
  region_.run(scratch_, lanes, inputs.data(), outputs.data());
  machine_.counters.vector_operations += 1;
  for (size_t k = 0; k < results.size(); ++k) {
    joined[k] = converted_lanes(machine_, results[k], joined[k].type());
  }
}

void RegionLanes::add(int64_t first) {
  std::vector<int64_t> lanes;
  const bool has_all = machine_.has(Fault::kWindowPaddingAsTerm);
  for (int64_t i = 0; i < lanes_; ++i) {
    const bool is_term = terms_[0].valid()[static_cast<size_t>(first + i)];
    if (is_term || has_all) lanes.push_back(i);
  }
  if (lanes.empty()) return;
  if (std::ssize(lanes) < lanes_) return add_some(first, lanes);
  std::vector<const std::byte*> arrays;
  for (const Register& each : terms_) arrays.push_back(each.lane(first));
  run(lanes_, arrays, joined_);
}

/// Lanes without a term stay as they are: the others are moved together.
void RegionLanes::add_some(int64_t first, const std::vector<int64_t>& lanes) {
  std::vector<Register> packed;
  std::vector<Register> packed_terms;
  std::vector<const std::byte*> arrays;
  for (size_t k = 0; k < joined_.size(); ++k) {
    packed.emplace_back(machine_.scratch, joined_[k].type());
    packed_terms.emplace_back(machine_.scratch, terms_[k].type());
    for (int64_t i = 0; i < std::ssize(lanes); ++i) {
      const int64_t lane = lanes[static_cast<size_t>(i)];
      move_lane(joined_[k], lane, packed[k], i);
      move_lane(terms_[k], first + lane, packed_terms[k], i);
    }
    arrays.push_back(packed_terms[k].bytes());
  }
  run(std::ssize(lanes), arrays, packed);
  for (size_t k = 0; k < joined_.size(); ++k) {
    for (int64_t i = 0; i < std::ssize(lanes); ++i) {
      move_lane(packed[k], i, joined_[k], lanes[static_cast<size_t>(i)]);
    }
  }
}

std::vector<Register> RegionLanes::results() {
  terms_.clear();
  return std::move(joined_);
}

SumLanes::SumLanes(Machine& machine, ElementType type)
    : machine_(machine),
      type_(type),
      wide_(is_complex(type) ? ElementType::kC128 : ElementType::kF64),
      parts_(is_complex(type) ? 2 : 1) {}

void SumLanes::start(const std::vector<Register>& initial, int64_t lanes) {
  std::vector<Register> all;
  all.push_back(repeated(machine_, initial[0], type_, lanes));
  begin(std::move(all));
  lanes_ = lanes;
}

void SumLanes::begin(std::vector<Register> initial) {
  lanes_ = kLanes;
  const Register typed = converted_lanes(machine_, initial[0], type_);
  sums_.emplace(converted_lanes(machine_, typed, wide_));
  lost_.emplace(machine_.scratch, wide_);
  std::memset(lost_->bytes(), 0, static_cast<size_t>(lost_->width() * kLanes));
}

void SumLanes::take(std::vector<Register> terms) {
  terms_.emplace(converted_lanes(machine_, terms[0], wide_));
}

void SumLanes::add(int64_t first) {
  const Register& wide = *terms_;
  const auto* from = reinterpret_cast<const double*>(wide.lane(first));
  auto* sums = reinterpret_cast<double*>(sums_->bytes());
  auto* lost = reinterpret_cast<double*>(lost_->bytes());
  for (int64_t i = 0; i < lanes_ * parts_; ++i) {
    if (!wide.valid()[static_cast<size_t>(first + i / parts_)]) continue;
    // What the rounding of a sum loses is a double (Knuth's two-sum).
    const double sum = sums[i] + from[i];
    const double virtual_term = sum - sums[i];
    lost[i] += (sums[i] - (sum - virtual_term)) + (from[i] - virtual_term);
    sums[i] = sum;
  }
}

std::vector<Register> SumLanes::results() {
  auto* sums = reinterpret_cast<double*>(sums_->bytes());
  const auto* lost = reinterpret_cast<const double*>(lost_->bytes());
  for (int64_t i = 0; i < lanes_ * parts_; ++i) {
    // 0 is not added: it would make -0 a +0.
    if (std::isfinite(sums[i]) && std::isfinite(lost[i]) && lost[i] != 0) {
      sums[i] += lost[i];
    }
  }
  std::vector<Register> results;
  results.push_back(converted_lanes(machine_, *sums_, type_));
  sums_.reset();
  lost_.reset();
  terms_.reset();
  return results;
}

}  // namespace hlo::tpu
