#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace hlo::process {

/// What a worker did that the protocol does not allow (spec/protocol.md).
class BadWorker : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// It said nothing for too long, where more time may be all that it needs.
class SilentWorker : public BadWorker {
  using BadWorker::BadWorker;
};

inline constexpr uint64_t kMostHeader = uint64_t{1} << 24U;
inline constexpr uint64_t kMostBody = uint64_t{1} << 34U;

struct Frame {
  std::string header;  // JSON
  std::string body;
};

/// The bytes of a frame.
std::string to_bytes(const Frame& frame);

/// Puts a frame together from bytes that come in pieces. It takes as much
/// memory as has come, whatever lengths the frame claims.
class FrameReader {
 public:
  /// BadWorker where the frame says that its body is longer than that.
  explicit FrameReader(uint64_t most_body) : most_body_(most_body) {}

  /// Takes the bytes up to the end of the frame, and returns those behind it.
  /// BadWorker where they are no frame, of which 16 bytes are looked at before
  /// that is said: in whatever pieces they come, it says the same.
  std::string_view take(std::string_view bytes);

  /// BadWorker where what has come begins no frame, and is all that comes.
  void end() const;

  /// Whether what has come begins no frame.
  bool is_wrong() const;

  bool is_complete() const { return has_lengths_ && missing() == 0; }

  bool is_empty() const { return lengths_.empty(); }

  const Frame& frame() const { return frame_; }

  /// So many bytes more belong to it at least.
  uint64_t missing() const;

 private:
  void take_lengths(std::string_view& bytes);
  void read_lengths();

  uint64_t most_body_;
  std::string lengths_;  // what stands before the header
  bool has_lengths_ = false;
  uint64_t header_size_ = 0;
  uint64_t body_size_ = 0;
  Frame frame_;
};

}  // namespace hlo::process
