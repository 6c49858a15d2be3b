#pragma once

#include <span>
#include <vector>

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// What each array leaf of a program's result may be: the reference runs it.
/// Where a result depends on values that may differ from machine to machine,
/// its set is unspecified. `observed` as in expect().
std::vector<Expectation> expect_module(
    const Module& module, std::vector<Literal> arguments,
    const std::vector<Literal>* observed = nullptr,
    const Profile& profile = {});

/// What a module of several devices may return, which have one list of
/// arguments, or each its own: the leaves of one device after the other.
std::vector<Expectation> expect_devices(
    const Module& module, std::vector<std::vector<Literal>> arguments,
    const std::vector<Literal>* observed = nullptr,
    const Profile& profile = {});

/// The array leaves of the reference's results, of one device after the other.
/// There is a leaf for each array of the parameters, of all devices or of each.
std::vector<Literal> run_reference(const Module& module,
                                   std::span<const Literal> leaves);

}  // namespace hlo::conformance
