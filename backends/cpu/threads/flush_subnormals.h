#pragma once

namespace hlo::cpu {

/// Whether this thread takes subnormal operands and results for zeros.
bool flushes_subnormals();

/// While it lives, this thread does or does not; then what was before. Loops
/// that it shares meanwhile do as it does, on every thread.
class FlushSubnormals {
 public:
  explicit FlushSubnormals(bool flushes);
  ~FlushSubnormals();
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

 private:
  bool before_;
};

}  // namespace hlo::cpu
