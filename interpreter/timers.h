#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <sys/types.h>
#include <thread>

namespace tine {

/// Calls functions at given times, on a thread of its own that the first one starts. While a call
/// is due, waiting tasks are not a deadlock.
/// \thread any
class Timers {
public:
  using Clock = std::chrono::steady_clock;
  using Id = std::pair<Clock::time_point, std::uint64_t>;

  Timers() = default;
  Timers(const Timers&) = delete;
  ~Timers() { stop(); }
  /// \errors RuntimeError no thread can be started
  Id add(Clock::time_point when, std::function<void()> call);
  /// The call is dropped, unless it has begun.
  void cancel(Id id);
  /// Drops all calls, waits for the one that runs; later ones are dropped at once.
  void stop();

private:
  void main();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Id, std::function<void()>> calls_; // this and what follows: guarded by mutex_
  std::uint64_t next_ = 0;
  bool stopping_ = false;
  std::thread thread_;
  ::pid_t pid_ = 0; ///< of the thread
};

} // namespace tine
