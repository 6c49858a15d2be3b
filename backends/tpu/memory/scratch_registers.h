#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <vector>

#include "backends/tpu/memory/fault.h"
#include "interpreter/model/element_type.h"

namespace hlo::tpu {

inline constexpr int64_t kSublanes = 8;
inline constexpr int64_t kLanesOfSublane = 128;
/// The lanes of a register.
inline constexpr int64_t kLanes = kSublanes * kLanesOfSublane;

/// The machine's scratch memory, of a fixed size: every value that an operation
/// works on lies in a register there.
class Scratch {
 public:
  explicit Scratch(int64_t bytes, Fault fault = Fault::kNone);

  int64_t size() const { return std::ssize(taken_) * kLanes; }

  int64_t held() const { return held_; }

  int64_t peak() const { return peak_; }

  /// Whether more than a quarter is free: who keeps registers only in order not
  /// to load or to store them again takes none of that.
  bool has_spare_room() const { return held_ < size() - size() / 4; }

  /// How many registers of that type there is room for now.
  int64_t room(ElementType type) const;

 private:
  friend class Register;

  std::byte* take(int64_t blocks);
  void give_back(const std::byte* place, int64_t blocks);
  int64_t reserved(int64_t blocks) const;

  Fault fault_;
  std::unique_ptr<std::byte[]> bytes_;
  std::vector<bool> taken_;  // by blocks of kLanes bytes
  size_t free_from_ = 0;     // all blocks before it are taken
  int64_t held_ = 0;
  int64_t peak_ = 0;
};

/// A register: 1024 lanes, each with an element as literals store it, and for
/// each whether it holds an element of an array or what padding left there.
class Register {
 public:
  /// Trap "tpu.scratch" where the scratch memory has no room: operations split
  /// their work to what there is.
  Register(Scratch& scratch, ElementType type);
  Register(Register&& other) noexcept;
  Register& operator=(Register&& other) noexcept;
  ~Register();

  ElementType type() const { return type_; }

  std::byte* bytes() { return bytes_; }

  const std::byte* bytes() const { return bytes_; }

  std::byte* lane(int64_t lane) { return bytes_ + lane * width_; }

  const std::byte* lane(int64_t lane) const { return bytes_ + lane * width_; }

  int64_t width() const { return width_; }

  std::bitset<kLanes>& valid() { return valid_; }

  const std::bitset<kLanes>& valid() const { return valid_; }

 private:
  Scratch* scratch_;
  ElementType type_;
  int64_t width_;
  std::byte* bytes_;
  std::bitset<kLanes> valid_;
};

}  // namespace hlo::tpu
