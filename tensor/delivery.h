#pragma once

#include "support/surely.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace tine {

/// Puts off what the completion of a future leads to until the completion is over, so that a chain
/// of futures, however long, needs no stack, and so that no callback runs in the middle of one.
///
///   Delivery::after([=] { next->complete(value); });
///
/// \thread each thread has its own
class Delivery {
public:
  enum class Scope : std::uint8_t { Completion, Call, Registration };

  /// Completion: while waiters fire; what was put off runs at the end of the outermost scope.
  /// Call: while a callback runs; what it leads to comes after what was put off before.
  /// Registration: of a callback for a future that is done; what it leads to runs before this ends.
  explicit Delivery(Scope scope = Scope::Completion);
  ~Delivery();
  Delivery(const Delivery&) = delete;

  /// Runs `f` later, or at once outside of scopes. It must not throw.
  template <class F> static void after(F f) {
    put(surely([&] { return std::function<void()>(std::move(f)); }));
  }
  /// Runs what was put off in the innermost scope: who waits may wait for just that.
  static void flush();

private:
  static void put(std::function<void()> f);
  void run();

  Delivery* const outer_;
  const Scope scope_;
  const bool active_;
  std::vector<std::function<void()>> queue_;
  std::size_t next_ = 0;
};

} // namespace tine
