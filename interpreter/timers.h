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
#include <unistd.h>

namespace tine {

/// Calls functions after some time, on a thread of its own that the first one starts.
///
/// Or without a thread and a clock: then time passes only when it is told to. In a process that
/// fork(2) made they begin anew: the thread, and the calls that it was to make, are in the other.
/// \thread any
class Timers {
public:
  using Clock = std::chrono::steady_clock;
  using Id = std::pair<Clock::time_point, std::uint64_t>;

  explicit Timers(bool hasClock) : hasClock_(hasClock), state_(new State) {}
  Timers(const Timers&) = delete;
  ~Timers();
  /// \errors RuntimeError no thread can be started
  Id add(Clock::duration delay, std::function<void()> call);
  /// Without a clock: time passes until the first call, which is made. False when there is none.
  bool pass();
  /// The call is dropped, unless it has begun.
  void cancel(Id id);
  /// Was a thread started?
  bool hasThread() const { return state_.load()->hasThread.load(std::memory_order_acquire); }
  /// Drops all calls, waits for the one that runs; later ones are dropped at once.
  void stop();

private:
  /// What belongs to one process. What another left in it, who may have been changing it when it
  /// forked, stays where it is.
  struct State {
    const ::pid_t pid = ::getpid();
    std::mutex mutex;
    std::condition_variable changed;
    std::map<Id, std::function<void()>> calls; // this and what follows: guarded by mutex
    std::uint64_t next = 0;
    Clock::time_point passed; ///< without a clock: what time it is
    bool stopping = false;
    std::thread thread;
    std::atomic<bool> hasThread{false};
  };
  State& here();
  static void main(State& state);
  static bool callFirst(State& state, std::unique_lock<std::mutex>& lock);

  const bool hasClock_;
  std::atomic<State*> state_;
};

} // namespace tine
