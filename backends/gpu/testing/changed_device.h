#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/gpu/device/device.h"

namespace hlo::gpu {

/// A device that counts launches, and puts something else in place of a part of
/// each text that it gets.
class ChangedDevice final : public Device {
 public:
  explicit ChangedDevice(Device& device, std::string_view right = "",
                         std::string_view wrong = "")
      : device_(device), right_(right), wrong_(wrong) {
    soil(0);
  }

  void prepare() override {}

  std::string description() const override { return device_.description(); }

  uint64_t memory() const override { return device_.memory(); }

  void grow(uint64_t bytes) override {
    const uint64_t old = device_.heap();
    device_.grow(bytes);
    soil(old);
  }

  uint64_t heap() const override { return device_.heap(); }

  void write(uint64_t offset, std::span<const std::byte> bytes) override {
    device_.write(offset, bytes);
  }

  void read(uint64_t offset, std::span<std::byte> bytes) override {
    device_.read(offset, bytes);
  }

  void run(Kernel kernel, std::span<const int64_t> parameters,
           int64_t items) override {
    ++other_launches_;
    device_.run(kernel, parameters, items);
  }

  bool compiles() const override { return device_.compiles(); }

  void compile(std::span<const KernelText> /*kernels*/) override {}

  void run(const KernelText& kernel, std::span<const int64_t> parameters,
           int64_t items) override {
    ++launches_;
    KernelText own = kernel;
    const size_t at =
        right_.empty() ? std::string::npos : own.body.find(right_);
    if (at != std::string::npos) {
      own.body.replace(at, right_.size(), wrong_);
      ++changes_;
    }
    device_.run(own, parameters, items);
  }

  size_t launches() const { return launches_; }

  size_t other_launches() const { return other_launches_; }

  size_t changes() const { return changes_; }

 private:
  /// Fills the heap from there: what no kernel writes is no result of another
  /// program.
  void soil(uint64_t begin) {
    constexpr std::byte kDirt{0xa5};
    const std::vector<std::byte> dirt(device_.heap() - begin, kDirt);
    device_.write(begin, dirt);
  }

  Device& device_;
  std::string_view right_;
  std::string_view wrong_;
  size_t launches_ = 0;        // of generated kernels
  size_t other_launches_ = 0;  // of all others
  size_t changes_ = 0;
};

}  // namespace hlo::gpu
