#pragma once

#include <initializer_list>
#include <string>

namespace hlo::gpu {

/// A shared library that is loaded at run time, and stays loaded.
class Library {
 public:
  /// The first of the names that can be loaded. DeviceError where none can.
  explicit Library(std::initializer_list<const char*> names);

  /// The function of that name. DeviceError where there is none.
  template <typename F>
  F* function(const char* name) const {
    return reinterpret_cast<F*>(symbol(name));
  }

 private:
  void* symbol(const char* name) const;

  void* handle_ = nullptr;
  std::string name_;
};

}  // namespace hlo::gpu
