#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

// A simulated backend for the tests of this folder; no program includes it.
namespace hlo::conformance {

/// How a machine computes. Every one conforms, but those with a fault.
struct Machine {
  enum class Order {
    kForward,
    kBackward,
    kPairwise,
    kLanes4,
    kLanes16,
    kBlocks32,
    kRandomTree,
    kByMagnitude,
    kAlternating,  // the largest, the smallest, the second largest, ...
  };
  enum class Width { kResult, kF32, kF64 };
  enum class Function { kRounded, kHighest, kLowest, kRandom };
  enum class Fault { kNone, kOneStepMore, kDropsATerm, kNarrowSums };

  std::string name;
  Order order = Order::kForward;
  Width width = Width::kResult;
  Function function = Function::kRounded;
  bool fma = false;
  bool daz = false;
  bool ftz = false;
  Fault fault = Fault::kNone;
};

/// More than twenty conforming machines.
std::vector<Machine> conforming_machines();
std::vector<Machine> faulty_machines();

/// The leaves of the result of a module whose entry computation is a line of
/// instructions without control flow, as the machine computes it.
std::vector<Literal> simulate(const Machine& machine, const Module& module,
                              const std::vector<Literal>& arguments,
                              uint64_t seed);

}  // namespace hlo::conformance
