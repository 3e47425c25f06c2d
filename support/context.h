#pragma once

#include "support/error.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace tine {

/// Stops work: shared by whoever may stop it and all that it stops. A default one is never
/// cancelled.
///
///   const CancelToken stop = CancelToken::make();
///   Future<> running = f.runAsync(scheduler, {x}, {.cancel = stop});
///   stop.cancel();                       // from any thread; running.wait() raises Cancelled
///
/// \thread any
class CancelToken {
public:
  CancelToken() = default;
  static CancelToken make();

  explicit operator bool() const { return static_cast<bool>(state_); }
  bool operator==(const CancelToken&) const = default;
  /// Once; later calls do nothing. Without `why`: Cancelled. \pre it was made
  void cancel(std::shared_ptr<const Error> why = nullptr) const;
  bool isCancelled() const { return error() != nullptr; }
  /// Why it was cancelled; null when it was not.
  const Error* error() const;
  std::shared_ptr<const Error> sharedError() const;

  /// Calls `f` when it is cancelled, once: on the thread that cancels, whatever others throw, or at
  /// once when it is cancelled already. Until then until the returned guard is gone; `f` may still
  /// run then.
  using Guard = std::shared_ptr<const void>;
  [[nodiscard]] Guard onCancel(std::function<void()> f) const;

private:
  struct State;
  std::shared_ptr<State> state_;
};

/// What work is given beside its arguments. A value: each fork has that of its forker, also two
/// deep, and a wait does not change it.
///
///   f.run(scheduler, {x}, {.deadline = deadlineIn(std::chrono::seconds(2)), .seed = 7});
struct TaskContext {
  using Clock = std::chrono::steady_clock;

  /// Then it fails with Timeout, as soon as it looks up.
  std::optional<Clock::time_point> deadline = std::nullopt;
  CancelToken cancel = {};
  /// Of random numbers, which do not depend on the order in which tasks run.
  std::uint64_t seed = 0;
};

inline TaskContext::Clock::time_point deadlineIn(TaskContext::Clock::duration time) {
  const auto now = TaskContext::Clock::now();
  return time > TaskContext::Clock::time_point::max() - now ? TaskContext::Clock::time_point::max()
                                                            : now + time;
}

} // namespace tine
