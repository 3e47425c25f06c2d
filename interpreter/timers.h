#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <sys/types.h>
#include <thread>

namespace tine {

/// Calls functions after some time, on a thread of its own that the first one starts.
///
/// Or without a thread and a clock: then time passes only when it is told to.
/// \thread any
class Timers {
public:
  using Clock = std::chrono::steady_clock;
  using Id = std::pair<Clock::time_point, std::uint64_t>;

  explicit Timers(bool hasClock) : hasClock_(hasClock) {}
  Timers(const Timers&) = delete;
  ~Timers() { stop(); }
  /// \errors RuntimeError no thread can be started
  Id add(Clock::duration delay, std::function<void()> call);
  /// Without a clock: time passes until the first call, which is made. False when there is none.
  bool pass();
  /// The call is dropped, unless it has begun.
  void cancel(Id id);
  /// Was a thread started?
  bool hasThread() const { return hasThread_.load(std::memory_order_acquire); }
  /// Drops all calls, waits for the one that runs; later ones are dropped at once.
  void stop();

private:
  void main();
  bool callFirst(std::unique_lock<std::mutex>& lock);

  const bool hasClock_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Id, std::function<void()>> calls_; // this and what follows: guarded by mutex_
  std::uint64_t next_ = 0;
  Clock::time_point passed_; ///< without a clock: what time it is
  bool stopping_ = false;
  std::thread thread_;
  std::atomic<bool> hasThread_{false};
  ::pid_t pid_ = 0; ///< of the thread
};

} // namespace tine
