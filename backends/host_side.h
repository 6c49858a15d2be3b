#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "interpreter/model/literal.h"
#include "interpreter/rules/devices/collective.h"

namespace hlo {

class CustomCalls;

/// What programs get from outside of them while they run, and bring there.
struct HostSide {
  /// The next value of the infeed, of the shape that is asked for. Evaluate
  /// error "infeed.empty" behind the last.
  using Queue = std::function<Literal(const Shape&)>;

  /// The queue of a run. Null: it is empty.
  std::function<Queue()> infeed = {};

  /// Takes a value that a device writes to the outfeed, in the order in which
  /// they are written.
  using Sink = std::function<void(const Device&, Literal)>;

  /// Who takes those of a run. Null: nobody does.
  std::function<Sink()> outfeed = {};
  /// The functions of custom-calls whose targets are not the specification's.
  /// Null: there are none.
  std::shared_ptr<const CustomCalls> custom_calls = {};
};

/// A backend that can give programs such things, and passes on what they
/// write.
class HostFed {
 public:
  virtual ~HostFed() = default;
  /// Gives them to every run from now on. Why not, where the backend takes no
  /// such thing.
  virtual std::optional<std::string> take(const HostSide& host) = 0;
};

}  // namespace hlo
