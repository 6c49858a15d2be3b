#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hlo {

extern "C" {
/// What a custom-call runs whose target is not one of the specification's:
/// `in` holds a pointer for each operand, `out` points to the result. What they
/// point to, and what a function may do, says spec/ops/custom_call.md, Foreign
/// functions.
using CustomFunction = void (*)(void* out, void** in);
}

/// The functions that an evaluation may call by name. It is made before the
/// evaluation and not changed while that runs; any number of evaluations may
/// share it (EvaluatorOptions::custom_calls).
class CustomCalls {
 public:
  /// `function` is called for targets of this name, in the place of one that
  /// was added before and of those of libraries.
  void add(std::string name, CustomFunction function);
  /// The functions that this shared library defines can be called by their
  /// symbols, those of libraries that were loaded before first. The library
  /// stays loaded as long as this object lives. A path without a slash is that
  /// of a file in the working directory. Evaluate error "file.library".
  void load(const std::string& path);
  /// Null where nobody has a function of that name.
  CustomFunction find(const std::string& name) const;

 private:
  struct Unload {
    void operator()(void* library) const;
  };

  std::map<std::string, CustomFunction> added_;
  std::vector<std::unique_ptr<void, Unload>> libraries_;
};

}  // namespace hlo
