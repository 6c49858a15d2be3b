#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/explain/story/story.h"

namespace hlo::conformance {

/// The elements that a region joins. There may be millions: only those that are
/// told of are put in words.
struct Terms {
  std::vector<Scalar> values;
  std::function<std::string(size_t)> text;  // "%x[2] = 1.5 (3fc00000)"

  ElementType type() const { return values.at(0).type; }
};

/// Lists the first terms and counts the others.
void list_terms(Story& story, const Terms& terms);
void list_terms(Story& story, const std::vector<std::string>& terms);
/// Counts those of `count` terms that are not listed.
void say_rest(Story& story, size_t count);

/// Tells how a region with two parameters joins the terms in their order to the
/// result: sums and products are exact and rounded once, the smallest and the
/// largest are one of the terms, and anything else goes step by step.
void explain_joined(Story& story, const Computation& region,
                    const Terms& terms);

/// The scalars in the types of the region's parameters.
std::vector<Scalar> as_parameters(const Computation& region,
                                  std::vector<Scalar> scalars);
/// Whether one of the region's results, in the type of the story's element, is
/// that element.
bool is_result(const Story& story, const std::vector<Scalar>& results);
/// Ends steps that joined terms of a type to the value: says what it is in the
/// type of the story's element, which must be that element.
void end_with(Story& story, const Scalar& value, ElementType terms);
/// The values of the region's results for these scalars.
std::vector<Scalar> apply_region(const Computation& region,
                                 const std::vector<Scalar>& arguments);

}  // namespace hlo::conformance
