#include "backends/tpu/program/told_layouts.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/counted.h"
#include "interpreter/model/buffer_layout.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kBitsOfByte = 8;

/// The sum of two numbers from 0 on, or the largest number where it is more.
int64_t sum(int64_t a, int64_t b) {
  return a > INT64_MAX - b ? INT64_MAX : a + b;
}

/// What arrays take.
struct Room {
  int64_t arrays = 0;
  int64_t bytes = 0;   // of elements, in the slots of the layout
  int64_t memory = 0;  // with all padding

  void add(const Room& other) {
    arrays += other.arrays;
    bytes = sum(bytes, other.bytes);
    memory = sum(memory, other.memory);
  }
};

int64_t slot_bits(const Shape& array) {
  const int64_t asked = array.layout->element_size_in_bits;
  return asked != 0 ? asked : storage_bytes(array.element_type) * kBitsOfByte;
}

/// Never more than buffer_bytes(), which is below 2^60.
int64_t bytes_of_elements(const Shape& array) {
  return (array.element_count() * slot_bits(array) + kBitsOfByte - 1) /
         kBitsOfByte;
}

Room room_of(const Shape& array, const Generation& generation) {
  const int64_t least = generation.least_bytes;
  const int64_t asked = std::max(buffer_bytes(array), least);
  return {.arrays = 1,
          .bytes = bytes_of_elements(array),
          .memory = (asked + least - 1) / least * least};
}

std::string text_of(const Room& room) {
  constexpr double kPercent = 100;
  const auto memory = static_cast<double>(room.memory);
  const auto waste = static_cast<double>(room.memory - room.bytes);
  return fmt::format("{} in {}, {:.1f} % waste", counted(room.bytes, "byte"),
                     room.memory, kPercent * waste / memory);
}

/// Whether the instruction only hands on what another one has made.
bool hands_on(const LayoutPlan& plan, const Instruction& instruction) {
  const Form form = instruction.op->form;
  return form == Form::kTuple || form == Form::kElement ||
         (form == Form::kIdentity &&
          plan.leaves_of(instruction) ==
              plan.leaves_of(*instruction.operands[0]));
}

/// Layouts of no words stand for themselves.
std::string layout_of(const Shape& array) {
  const std::string text = to_string(*array.layout);
  return text.empty() ? "{}" : text;
}

class LayoutWriter {
 public:
  explicit LayoutWriter(const LayoutPlan& plan) : plan_(plan) {}

  std::string written() {
    const Generation& generation = plan_.generation();
    text_ =
        fmt::format("generation {}: an array takes {} at least\n",
                    generation.name, counted(generation.least_bytes, "byte"));
    for (const Computation* computation : plan_.computations()) {
      text_ += fmt::format("%{}\n", computation->name);
      for (const auto& instruction : computation->instructions) {
        write_copies(instruction.get());
        write_arrays(*instruction);
      }
    }
    write_copies(nullptr);
    write_sum("arrays", arrays_);
    write_sum("copies", copies_);
    return text_;
  }

 private:
  void write_arrays(const Instruction& instruction) {
    if (hands_on(plan_, instruction)) return;
    const Leaves& leaves = plan_.leaves_of(instruction);
    for (size_t k = 0; k < leaves.size(); ++k) {
      if (!leaves[k].is_array()) continue;
      const Room room = room_of(leaves[k], plan_.generation());
      const std::string part =
          instruction.shape.is_tuple() ? fmt::format(" leaf {}", k) : "";
      text_ += fmt::format("  %{}{} {}: {}\n", instruction.name, part,
                           to_string(leaves[k]), text_of(room));
      arrays_.add(room);
    }
  }

  /// Those that the reader is the first to need; null: whoever runs it.
  void write_copies(const Instruction* reader) {
    for (const LayoutCopy& copy : plan_.copies()) {
      if (copy.reader != reader) continue;
      const Room room = room_of(copy.to, plan_.generation());
      text_ += fmt::format(
          "  copy of %{} from {} to {} for {}: {}\n", copy.value->name,
          layout_of(copy.from), layout_of(copy.to),
          reader == nullptr ? "the result" : "%" + reader->name, text_of(room));
      copies_.add(room);
    }
  }

  void write_sum(std::string_view what, const Room& room) {
    text_ += fmt::format("{}: {}", what, room.arrays);
    if (room.arrays > 0) text_ += ", " + text_of(room);
    text_ += "\n";
  }

  const LayoutPlan& plan_;
  std::string text_;
  Room arrays_;
  Room copies_;
};

}  // namespace

std::string told_layouts(const LayoutPlan& plan) {
  return LayoutWriter(plan).written();
}

}  // namespace hlo::tpu
